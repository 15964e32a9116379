// SPDX-License-Identifier: MIT
// Links that bring back what is on screen.
import type { App } from './app';
import { decodeShared, encodeShared } from './link';

/** False where the text is no such link. */
export async function openLink(app: App, text: string): Promise<boolean> {
  const s = await decodeShared(text);
  if (!s) return false;
  try {
    await app.openScenario({ toml: s.toml, set: s.set, actions: s.actions, to: s.t }, false);
    if (s.speed) app.playback.setSpeed(s.speed);
    if (s.camera) {
      app.view.camera.jump(s.camera);
      app.view.camera.touched = true;
    }
    if (s.versus) await app.compare.open(s.versus);
  } catch (e) {
    app.trouble(e as Error);
  }
  return true;
}

export async function copyLink(app: App): Promise<void> {
  const { run, view, playback } = app;
  if (run.stage.of === 'trace')
    return app.say('A recording is too long for a link; send the file.');
  if (run.stage.of === 'live')
    return app.say('A live group cannot go back in time; a link to this moment is not possible.');
  const { x, y, zoom } = view.camera;
  const hash = await encodeShared({
    toml: run.stage.toml,
    set: run.recipe.set,
    actions: run.recipe.actions,
    t: run.clock,
    camera: { x, y, zoom },
    versus: app.compare.algorithm ?? undefined,
    speed: playback.speed === Infinity ? undefined : playback.speed,
  });
  history.replaceState(null, '', `#${hash}`);
  try {
    // With the token, for other browsers that may open it.
    await navigator.clipboard.writeText(location.href);
    app.say('Link copied. It opens while this program runs; later, paste it into Open.');
  } catch {
    app.say('The browser does not let the page copy; copy the link from the address bar.');
  }
}
