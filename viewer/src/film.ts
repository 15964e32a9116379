// SPDX-License-Identifier: MIT
// The drawing as one living canvas, for pictures and films.

export class Film {
  readonly canvas = document.createElement('canvas');
  private watchers = 0;

  get wanted(): boolean {
    return this.watchers > 0;
  }

  /** While `work` goes on, the page paints onto `canvas` with each picture. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.watchers++;
    try {
      return await work();
    } finally {
      this.watchers--;
    }
  }

  record(seconds: number): Promise<Blob> {
    if (typeof MediaRecorder === 'undefined')
      return Promise.reject(new Error('this browser cannot record films'));
    const stream = this.canvas.captureStream(30);
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'].find(
      (t) => MediaRecorder.isTypeSupported(t),
    );
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
    const pieces: Blob[] = [];
    recorder.ondataavailable = (e) => pieces.push(e.data);
    return new Promise((resolve, reject) => {
      recorder.onerror = () => reject(new Error('the recording failed'));
      recorder.onstop = () => {
        for (const track of stream.getTracks()) track.stop();
        resolve(new Blob(pieces, { type: type ?? 'video/webm' }));
      };
      recorder.start(500);
      setTimeout(() => recorder.stop(), seconds * 1000);
    });
  }
}
