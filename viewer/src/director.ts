// SPDX-License-Identifier: MIT
// What lessons may do with the page.
import type { App } from './app';
import { boxOf } from './camera';
import type { Director } from './lessons';

export function makeDirector(app: App): Director {
  return {
    async open(o) {
      await app.playback.pause();
      await app.openScenario(o, false);
    },
    play: (speed, until) => app.playback.playUntil(speed, until),
    async act(actions) {
      await app.playback.act(actions);
    },
    select: (nodes) => app.select(nodes),
    focus(nodes) {
      app.view.focus = nodes && nodes.length ? new Set(nodes) : null;
      app.touch();
      const box = nodes && nodes.length ? boxOf(app.run.places, nodes) : null;
      if (!box) return app.fit();
      const whole = app.pane.box();
      const room = 0.18 * Math.max(whole.right - whole.left, whole.bottom - whole.top);
      const wide = {
        left: box.left - room,
        right: box.right + room,
        top: box.top - room,
        bottom: box.bottom + room,
      };
      app.view.camera.fit(wide, app.pane.width, app.pane.height, true);
      app.redraw();
    },
    moment: () => app.run.shown,
    stage: () => app.run.stage,
    onPick: (listener) => (app.onPick = listener),
  };
}
