// SPDX-License-Identifier: MIT
// The toy is plain JavaScript; tests take it as it is.
declare module '*.mjs' {
  export const catalogue: any;
  export const defaultScenario: string;
  export function config(toml: string, set: string[], refuse: (why: string) => Error): any;
  export class Toy {
    constructor(config: any, actions: any[]);
    [name: string]: any;
  }
  export function frame(toy: Toy, withLinks: boolean): ArrayBuffer;
}
