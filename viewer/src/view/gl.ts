// SPDX-License-Identifier: MIT
// The little of WebGL 2 that the drawing needs: programs that draw rectangles without vertex
// buffers, and textures that they read their rows from. It makes no code at run time, so that the
// server may forbid that.

export type Uniform = number | readonly number[] | Sheet;
export type Uniforms = Record<string, Uniform>;
type GL = WebGL2RenderingContext;

export function openGl(canvas: HTMLCanvasElement): GL {
  const gl = canvas.getContext('webgl2', {
    alpha: true,
    antialias: false,
    depth: false,
    premultipliedAlpha: true,
    preserveDrawingBuffer: true,
  });
  if (!gl) throw new Error('WebGL 2 is not available');
  gl.disable(gl.DEPTH_TEST);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  gl.bindVertexArray(gl.createVertexArray());
  return gl;
}

/** A texture whose texels are found by their number; it grows. */
export class Sheet {
  readonly width: number;
  private height = 0;
  private readonly texture: WebGLTexture;

  constructor(
    private readonly gl: GL,
    private readonly kind: 'float' | 'byte',
    width = 512,
  ) {
    this.width = width;
    this.texture = gl.createTexture() as WebGLTexture;
    this.bind(0);
    for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, p, gl.NEAREST);
    for (const p of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, p, gl.CLAMP_TO_EDGE);
  }

  bind(unit: number): void {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }

  /** How many values an array needs for N texels: whole lines. */
  room(texels: number): number {
    return 4 * this.width * Math.max(1, Math.ceil(texels / this.width));
  }

  /** `data` has at least `room(texels)` values. */
  send(data: Float32Array | Uint8Array, texels: number): void {
    const { gl } = this;
    const lines = Math.max(1, Math.ceil(texels / this.width));
    const [inside, type] =
      this.kind === 'float' ? [gl.RGBA32F, gl.FLOAT] : [gl.RGBA8, gl.UNSIGNED_BYTE];
    this.bind(0);
    if (lines > this.height) {
      this.height = 2 ** Math.ceil(Math.log2(lines));
      gl.texImage2D(gl.TEXTURE_2D, 0, inside, this.width, this.height, 0, gl.RGBA, type, null);
    }
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, lines, gl.RGBA, type, data);
  }
}

export class Program {
  private readonly program: WebGLProgram;
  private readonly places = new Map<string, WebGLUniformLocation | null>();

  constructor(
    private readonly gl: GL,
    vert: string,
    frag: string,
    private readonly kind: 'rectangles' | 'lines' | 'points' = 'rectangles',
  ) {
    const program = (this.program = gl.createProgram() as WebGLProgram);
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vert));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, frag));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`shaders do not fit: ${gl.getProgramInfoLog(program)}`);
    }
  }

  /** Draws N of its kind; uniforms that the shaders do not use are left out. */
  draw(count: number, uniforms: Uniforms): void {
    const { gl } = this;
    gl.useProgram(this.program);
    let unit = 0;
    for (const [name, value] of Object.entries(uniforms)) {
      const at = this.place(name);
      if (at === null) continue;
      if (value instanceof Sheet) {
        value.bind(unit);
        gl.uniform1i(at, unit++);
      } else if (typeof value === 'number') gl.uniform1f(at, value);
      else if (value.length === 2) gl.uniform2f(at, value[0], value[1]);
      else gl.uniform3f(at, value[0], value[1], value[2]);
    }
    const [mode, vertices] =
      this.kind === 'rectangles'
        ? [gl.TRIANGLES, 6]
        : this.kind === 'lines'
          ? [gl.LINES, 2]
          : [gl.POINTS, 1];
    gl.drawArrays(mode, 0, vertices * count);
  }

  private place(name: string): WebGLUniformLocation | null {
    let at = this.places.get(name);
    if (at === undefined)
      this.places.set(name, (at = this.gl.getUniformLocation(this.program, name)));
    return at;
  }
}

function compile(gl: GL, type: number, source: string): WebGLShader {
  const shader = gl.createShader(type) as WebGLShader;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`a shader is wrong: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}
