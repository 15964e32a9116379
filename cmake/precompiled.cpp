// SPDX-License-Identifier: MIT
// A target needs a source to have precompiled headers: see precompiled.cmake.
