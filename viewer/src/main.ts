// SPDX-License-Identifier: MIT
import './style.css';
import { App } from './app';

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
    why.textContent = `This browser cannot draw the network: ${reason}. It may be switched off.`;
    host.replaceChildren(why);
  }
}

start(document.getElementById('app') as HTMLElement);
