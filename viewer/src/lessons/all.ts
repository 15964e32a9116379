// SPDX-License-Identifier: MIT
// All lessons, in the order in which they are best taken.

import { anonymous } from './anonymous';
import { bully } from './bully';
import { changRoberts } from './chang_roberts';
import { counterexample } from './counterexample';
import { crowd } from './crowd';
import { flight } from './flight';
import { hirschbergSinclair } from './hirschberg_sinclair';
import { lelann } from './lelann';
import type { Lesson } from './lesson';
import { partition } from './partition';
import { split } from './split';

export const LESSONS: Lesson[] = [
  lelann,
  changRoberts,
  hirschbergSinclair,
  anonymous,
  partition,
  crowd,
  flight,
  split,
  bully,
  counterexample,
];
