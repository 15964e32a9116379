// SPDX-License-Identifier: MIT
// What the graphics card does. Places and codes of all nodes lie in one texture (x, y, size, code),
// their colours in another. Links, messages and the rest are rows of a third one; a vertex has
// only its number, from which follow its row and its corner of a rectangle. (Instances would do the
// same; with four vertices each they are slow on many machines.)

const COMMON = `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D places, colours, rows;
uniform vec2 resolution, centre;
uniform vec2 scale;
vec4 texel(sampler2D sheet, int i) {
  int w = textureSize(sheet, 0).x;
  return texelFetch(sheet, ivec2(i % w, i / w), 0);
}
vec4 nodeAt(float i) { return texel(places, int(i)); }
vec4 colourAt(float i) { return texel(colours, int(i)); }
vec4 rowAt(int i) { return texel(rows, i); }
int rectangle() { return gl_VertexID / 6; }
vec2 cornerHere() {
  int k = gl_VertexID % 6;
  int c = k < 3 ? k : k == 3 ? 2 : k == 4 ? 1 : 3; // 0 1 2, 2 1 3
  return vec2(c % 2, c / 2) * 2.0 - 1.0;
}
vec2 pixel(vec2 p) { return (p - centre) * scale + 0.5 * resolution; }
vec4 clip(vec2 px) {
  vec2 c = px / resolution * 2.0 - 1.0;
  return vec4(c.x, -c.y, 0.0, 1.0);
}
bool bit(float code, float b) { return mod(floor(code / b), 2.0) >= 1.0; }
`;

/** Bits of a node's code; the lowest two are its shape. */
export const SHAPE = { circle: 0, square: 1, cross: 2, hidden: 3 } as const;
export const CODE = {
  leads: 4,
  differs: 8,
  selected: 16,
  dim: 32,
  hollow: 64,
  hover: 128,
} as const;

const NODE_HEAD = `${COMMON}
uniform float radius, ratio, special;
out vec2 at;
out float r, shape;
out vec4 tint, marks, tones;
vec4 node;
/** Fills all of the above; gives half the side of the square to be drawn, or -1. */
float look(float index) {
  node = nodeAt(index);
  float code = node.w;
  r = radius * node.z;
  tint = colourAt(index);
  shape = mod(code, 4.0);
  // selected, hover, leads, differs
  marks = vec4(bit(code, 16.0), bit(code, 128.0), bit(code, 4.0), bit(code, 8.0));
  tones = vec4(bit(code, 64.0), bit(code, 32.0) ? 0.22 : 1.0, 0.0, 0.0); // hollow, how strong
  bool small = r < 4.0 * ratio; // too small for a crown or dashes
  bool rich = marks.x + marks.y > 0.5 || (!small && marks.z + marks.w > 0.5) || shape > 0.5;
  float ring = marks.x + marks.y > 0.5 ? 7.0 : marks.w > 0.5 ? 5.0 : marks.z > 0.5 ? 3.0 : 2.0;
  if (shape > 2.5 || rich != (special > 0.5)) return -1.0;
  return r + ring * ratio;
}
`;

export const NODE_VERT = `${NODE_HEAD}
void main() {
  float room = look(float(rectangle()));
  at = cornerHere() * room;
  gl_Position = room < 0.0 ? vec4(2.0, 2.0, 0.0, 1.0) : clip(pixel(node.xy) + at);
}`;

/** Small nodes of large networks are points: a sixth of the work. */
export const DOT_VERT = `${NODE_HEAD}
void main() {
  float room = look(float(gl_VertexID));
  at = vec2(room);
  gl_PointSize = 2.0 * max(room, 0.5);
  gl_Position = room < 0.0 ? vec4(2.0, 2.0, 0.0, 1.0) : clip(pixel(node.xy));
}`;

const discFrag = (place: string) => `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio;
uniform vec3 surface, ink;
in vec2 at;
in float r;
in vec4 tint, marks, tones;
void main() {
  float d = length(${place}) - r;
  float rim = clamp(1.3 * ratio + 0.5 - d, 0.0, 1.0);
  float hole = tones.x * clamp(0.5 - d - max(1.5 * ratio, r * 0.28), 0.0, 1.0);
  float body = clamp(0.5 - d, 0.0, 1.0) - hole;
  vec3 edge = mix(surface, ink, max(marks.z, marks.w));
  pixelColour = vec4(mix(edge, tint.rgb, body), 1.0) * rim * tones.y;
}`;

/** Most nodes are plain discs; they have a shader of their own because it is much faster. */
export const DISC_FRAG = discFrag('at');
export const DOT_FRAG = discFrag('(gl_PointCoord * 2.0 - 1.0) * at.x');

export const NODE_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio;
uniform vec3 surface, ink, accent, dead;
in vec2 at;
in float r, shape;
in vec4 tint, marks, tones;
float box(vec2 p, float h) {
  vec2 d = abs(p) - vec2(h);
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}
float crown(vec2 p) {
  float q = abs(p.x);
  float top = q < 0.27 ? mix(0.6, 0.0, q / 0.27) : mix(0.0, 0.4, (q - 0.27) / 0.35);
  float sides = q - (0.48 + 0.14 * (p.y + 0.45) / 0.85);
  return max(max((p.y - top) * 0.42, -0.45 - p.y), sides);
}
float cover(float d) { return clamp(0.5 - d, 0.0, 1.0); }
void over(inout vec4 below, vec3 colour, float share) {
  below = vec4(colour * share, share) + below * (1.0 - share);
}
void main() {
  float d = shape > 0.5 && shape < 1.5 ? box(at, r * 0.9) - r * 0.06 : length(at) - r;
  vec4 c = vec4(0.0);
  if (marks.x > 0.5) over(c, accent, cover(abs(d - 4.0 * ratio) - 1.3 * ratio));
  if (marks.y > 0.5) over(c, accent, 0.55 * cover(abs(d - 4.0 * ratio) - 1.0 * ratio));
  if (shape > 1.5) {
    vec2 q = abs(vec2(at.x + at.y, at.x - at.y)) * 0.7071;
    float bar = min(max(q.x - r * 1.05, q.y - r * 0.24), max(q.y - r * 1.05, q.x - r * 0.24));
    over(c, surface, cover(bar - 1.4 * ratio));
    over(c, dead, cover(bar));
  } else {
    over(c, surface, cover(d - 1.3 * ratio));
    over(c, tint.rgb, cover(d));
    if (tones.x > 0.5) over(c, surface, cover(d + max(1.5 * ratio, r * 0.28)));
    if (marks.z > 0.5) {
      over(c, ink, cover(abs(d - 1.2 * ratio) - 0.9 * ratio));
      over(c, vec3(1.0), cover(crown(vec2(at.x, -at.y) / (r * 0.84)) * r * 0.84));
    }
    if (marks.w > 0.5) {
      float dash = clamp((0.3 - abs(fract(atan(at.y, at.x) * 1.2732395) - 0.5)) * 8.0, 0.0, 1.0);
      over(c, ink, dash * cover(abs(d - 2.6 * ratio) - 0.95 * ratio));
    }
  }
  pixelColour = c * tones.y;
}`;

export const LINK_VERT = `${COMMON}
uniform float ratio, wide;
uniform vec3 plain;
uniform float strength;
out float along, across, half_, dots;
out vec4 tint;
void main() {
  vec2 corner = cornerHere();
  vec4 row = rowAt(rectangle()); // from, to, wireless, direction
  vec2 ends = row.xy;
  float wireless = row.z;
  vec4 a = nodeAt(ends.x), b = nodeAt(ends.y);
  vec2 pa = pixel(a.xy), pb = pixel(b.xy);
  vec2 way = pb - pa;
  float len = max(length(way), 1e-3);
  vec2 dir = way / len, side = vec2(-dir.y, dir.x);
  half_ = wide * ratio * (wireless > 0.5 ? 0.72 : 1.0) * 0.5;
  float room = half_ + 1.0;
  across = corner.y * room;
  along = (corner.x * 0.5 + 0.5) * len;
  dots = wireless;
  vec4 ca = colourAt(ends.x), cb = colourAt(ends.y);
  bool same = distance(ca.rgb, cb.rgb) < 0.01 && ca.a > 0.5 && cb.a > 0.5;
  float dim = bit(a.w, 32.0) || bit(b.w, 32.0) ? 0.25 : 1.0;
  tint = vec4(same ? mix(plain, ca.rgb, 0.6) : plain, strength * dim);
  gl_Position = clip(mix(pa, pb, corner.x * 0.5 + 0.5) + side * across);
}`;

export const LINK_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio, dotted;
in float along, across, half_, dots;
in vec4 tint;
void main() {
  float cover = clamp(half_ + 0.5 - abs(across), 0.0, 1.0);
  if (dots > 0.5 && dotted > 0.5) {
    float p = mod(along, 5.0 * ratio);
    cover *= clamp(2.9 * ratio - p + 0.5, 0.0, 1.0);
  }
  float alpha = tint.a * cover;
  pixelColour = vec4(tint.rgb * alpha, alpha);
}`;

/** Thousands of links are hairlines. */
export const HAIR_VERT = `${COMMON}
uniform vec3 plain;
uniform float strength;
out vec4 tint;
void main() {
  vec2 ends = rowAt(gl_VertexID / 2).xy;
  bool first = gl_VertexID % 2 == 0;
  vec4 here = nodeAt(first ? ends.x : ends.y);
  vec4 ca = colourAt(ends.x), cb = colourAt(ends.y);
  bool same = distance(ca.rgb, cb.rgb) < 0.01 && ca.a > 0.5 && cb.a > 0.5;
  float alpha = strength * (bit(here.w, 32.0) ? 0.25 : 1.0);
  tint = vec4((same ? mix(plain, ca.rgb, 0.6) : plain) * alpha, alpha);
  gl_Position = clip(pixel(here.xy));
}`;

export const HAIR_FRAG = `#version 300 es
precision mediump float;
out vec4 pixelColour;
in vec4 tint;
void main() { pixelColour = tint; }`;

export const ARROW_VERT = `${COMMON}
uniform float ratio, radius;
out vec2 at;
out float fade;
void main() {
  vec2 corner = cornerHere();
  vec4 row = rowAt(rectangle());
  vec2 ends = row.xy;
  float direction = row.w;
  vec2 from = direction < 1.5 ? vec2(ends.x, ends.y) : vec2(ends.y, ends.x);
  vec4 a = nodeAt(from.x), b = nodeAt(from.y);
  vec2 pa = pixel(a.xy), pb = pixel(b.xy);
  float len = length(pb - pa);
  fade = bit(a.w, 32.0) || bit(b.w, 32.0) ? 0.25 : 1.0;
  if (direction < 0.5 || len < 2.5 * radius + 8.0 * ratio) {
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
    return;
  }
  vec2 dir = (pb - pa) / len;
  at = corner;
  float size = 5.5 * ratio;
  vec2 middle = mix(pa, pb, 0.62);
  gl_Position = clip(middle + dir * corner.x * size + vec2(-dir.y, dir.x) * corner.y * size);
}`;

export const ARROW_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform vec3 ink;
in vec2 at;
in float fade;
void main() {
  float edge = (1.0 - at.x) * 0.42;
  float cover = smoothstep(0.06, -0.06, abs(at.y) - edge) * step(-0.8, at.x);
  float alpha = cover * 0.75 * fade;
  pixelColour = vec4(ink * alpha, alpha);
}`;

export const FLIGHT_VERT = `${COMMON}
uniform float ratio, size;
out vec2 at;
out float shape, alpha, r;
out vec3 tint;
void main() {
  vec2 corner = cornerHere();
  int k = 2 * rectangle();
  vec4 row = rowAt(k); // from, to, progress, shape
  vec4 look = rowAt(k + 1); // alpha, red, green, blue
  vec2 ends = row.xy;
  vec4 a = nodeAt(ends.x), b = nodeAt(ends.y);
  shape = row.w;
  alpha = look.x * (bit(a.w, 32.0) && bit(b.w, 32.0) ? 0.2 : 1.0);
  tint = look.yzw;
  r = size;
  vec2 pa = pixel(a.xy), pb = pixel(b.xy);
  vec2 dir = pb - pa;
  float len = length(dir);
  vec2 side = len > 0.01 ? vec2(-dir.y, dir.x) / len : vec2(0.0);
  at = corner * (size + 3.0 * ratio);
  gl_Position = clip(mix(pa, pb, row.z) + side * min(3.0 * ratio, len * 0.05) + at);
}`;

export const FLIGHT_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio;
uniform vec3 surface;
in vec2 at;
in float shape, alpha, r;
in vec3 tint;
float box(vec2 p, vec2 h) {
  vec2 d = abs(p) - h;
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}
void main() {
  vec2 p = at;
  float d;
  if (shape < 0.5) d = length(p) - r * 0.85;
  else if (shape < 1.5) d = max(abs(p.x) * 0.866 - p.y * 0.5, p.y) - r * 0.5;
  else if (shape < 2.5) d = box(p, vec2(r * 0.72));
  else if (shape < 3.5) d = (abs(p.x) + abs(p.y) - r * 1.05) * 0.7071;
  else if (shape < 4.5) d = min(box(p, vec2(r, r * 0.34)), box(p, vec2(r * 0.34, r)));
  else if (shape < 5.5) d = max(abs(p.x) * 0.866 + abs(p.y) * 0.5, abs(p.y)) - r * 0.8;
  else if (shape < 6.5) d = box(p, vec2(r * 1.0, r * 0.45));
  else if (shape < 7.5) d = abs(length(p) - r * 0.7) - r * 0.28;
  else {
    vec2 q = abs(vec2(p.x + p.y, p.x - p.y)) * 0.7071;
    d = min(box(q, vec2(r, r * 0.22)), box(q, vec2(r * 0.22, r)));
  }
  float rim = smoothstep(0.75, -0.75, d - 1.1 * ratio);
  float body = smoothstep(0.75, -0.75, d);
  float a = max(rim * 0.9, body) * alpha;
  if (a < 0.01) discard;
  pixelColour = vec4(mix(surface, tint, body) * a, a);
}`;

export const RING_VERT = `${COMMON}
uniform float reach;
out vec2 at;
out vec2 r;
out vec4 tint;
void main() {
  vec2 corner = cornerHere();
  float index = rowAt(rectangle()).x;
  r = reach * scale;
  at = corner * (r + 2.0);
  tint = colourAt(index);
  vec4 node = nodeAt(index);
  if (mod(node.w, 4.0) > 1.5) { gl_Position = vec4(2.0, 2.0, 0.0, 1.0); return; }
  gl_Position = clip(pixel(node.xy) + at);
}`;

export const RING_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio, fill, line;
in vec2 at;
in vec2 r;
in vec4 tint;
void main() {
  vec2 round = at / r;
  float d = (length(round) - 1.0) * length(at) / max(length(round), 0.001);
  float edge = line * smoothstep(0.75, -0.75, abs(d) - 0.5 * ratio);
  float a = edge + fill * smoothstep(0.75, -0.75, d);
  if (a < 0.004) discard;
  pixelColour = vec4(tint.rgb * a, a);
}`;

export const TRAIL_VERT = `${COMMON}
uniform float ratio;
out float across;
out vec4 tint;
void main() {
  vec2 corner = cornerHere();
  int k = 2 * rectangle();
  vec4 segment = rowAt(k);
  vec2 who = rowAt(k + 1).xy; // node, age from 0 to 1
  vec2 pa = pixel(segment.xy), pb = pixel(segment.zw);
  vec2 way = pb - pa;
  float len = max(length(way), 1e-3);
  across = corner.y * 2.2 * ratio;
  tint = vec4(colourAt(who.x).rgb, 0.7 * (1.0 - who.y));
  vec2 side = vec2(-way.y, way.x) / len;
  gl_Position = clip(mix(pa, pb, corner.x * 0.5 + 0.5) + side * across);
}`;

export const TRAIL_FRAG = `#version 300 es
precision highp float;
out vec4 pixelColour;
uniform float ratio;
in float across;
in vec4 tint;
void main() {
  float a = tint.a * clamp(1.3 * ratio - abs(across) + 0.5, 0.0, 1.0);
  pixelColour = vec4(tint.rgb * a, a);
}`;
