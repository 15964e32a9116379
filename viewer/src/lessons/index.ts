// SPDX-License-Identifier: MIT
export { LESSONS } from './all';
export type { Director, Lesson, Step } from './lesson';
export { LessonPanel } from './panel';
