// SPDX-License-Identifier: MIT
// Frames for a GIF: while the page records, the same canvas is watched as a stream. (A canvas of
// WebGL cannot be read at any moment; its stream can.)

import { gif, type Frame } from './gif';

const WIDEST = 640; // pixels
const PER_SECOND = 10;

export async function gifOf(canvas: HTMLCanvasElement, recording: Promise<Blob>): Promise<Blob> {
  const scale = Math.min(1, WIDEST / Math.max(1, canvas.width));
  const width = Math.max(1, Math.round(scale * canvas.width));
  const height = Math.max(1, Math.round(scale * canvas.height));
  const paper = document.createElement('canvas');
  [paper.width, paper.height] = [width, height];
  const brush = paper.getContext('2d', { willReadFrequently: true });
  if (!brush) throw new Error('this browser gives no canvas to draw on');
  const video = await watch(canvas);
  const frames: Frame[] = [];
  const timer = setInterval(() => {
    brush.drawImage(video, 0, 0, width, height);
    frames.push({ pixels: brush.getImageData(0, 0, width, height).data, delay: 1000 / PER_SECOND });
  }, 1000 / PER_SECOND);
  try {
    await recording;
  } finally {
    clearInterval(timer);
    (video.srcObject as MediaStream).getTracks().forEach((track) => track.stop());
  }
  if (frames.length === 0) throw new Error('no frame was drawn while recording');
  return new Blob([gif(width, height, frames)], { type: 'image/gif' });
}

async function watch(canvas: HTMLCanvasElement): Promise<HTMLVideoElement> {
  const video = document.createElement('video');
  video.muted = true;
  video.srcObject = canvas.captureStream(30);
  await video.play();
  return video;
}
