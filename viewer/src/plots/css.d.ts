// SPDX-License-Identifier: MIT
// Styles are bundled with the modules that import them.
declare module '*.css';
