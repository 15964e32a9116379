// SPDX-License-Identifier: MIT
import './style.css';
import { App } from './app';
import './ui/phone.css'; // last: it changes what all others say

declare global {
  interface Window {
    /** For tests and for the curious. */
    bellwether?: { run: App['run']; camera: App['view']['camera']; app: App };
  }
}

function start(host: HTMLElement): void {
  try {
    const app = new App(host);
    window.bellwether = { run: app.run, camera: app.view.camera, app };
  } catch (e) {
    const why = document.createElement('p');
    why.className = 'boot';
    const reason = (e as Error).message;
    why.textContent = `This browser cannot draw: ${reason}. Switch WebGL on, or use another browser.`;
    host.replaceChildren(why);
  }
}

start(document.getElementById('app') as HTMLElement);
