// SPDX-License-Identifier: MIT
// The search: sections that have all the words, the best first. A section is
// [url, title of its page, heading, text]. A plain script, as pages from a disk may load no modules.
globalThis.findSections = (index, query, limit = 30) => {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      const begins = RegExp(`(?<![\\p{L}\\p{N}])${literal}`, 'iu');
      return { word, begins, whole: RegExp(`${begins.source}(?![\\p{L}\\p{N}])`, 'iu') };
    });
  const score = ([, title, heading, text]) => {
    let sum = 0;
    for (const { word, begins, whole } of words) {
      // The word itself counts more than a longer one that begins so, and that more than the rest.
      const at = (place, most) => {
        if (!place.toLowerCase().includes(word)) return 0;
        return whole.test(place) ? most : begins.test(place) ? most / 2 : most / 4;
      };
      const points = at(title, heading ? 8 : 40) + at(heading, 20) + at(text, 4);
      if (!points) return 0;
      sum += points + Math.min(text.toLowerCase().split(word).length - 1, 5) / 5;
    }
    return sum;
  };
  return index
    .map((section) => ({ section, points: words.length ? score(section) : 0 }))
    .filter((hit) => hit.points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map((hit) => hit.section);
};
