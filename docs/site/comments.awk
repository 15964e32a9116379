#!/usr/bin/awk -f
# SPDX-License-Identifier: MIT
# What Doxygen reads instead of a header. Of the comment at the top, the first paragraph describes the
# file, and the rest stays as it was set; a comment behind a member describes the member.
NR == 1 && /^\/\/ SPDX/ { print "/** @file"; head = 1; next }
head && /^\/\/$/ && !verbatim { print "\n@verbatim"; verbatim = 1; next }
head && /^\/\// { sub(/^\/\/ ?/, ""); print; next }
head { if (verbatim) print "@endverbatim"; print "*/"; head = 0 }
/^  [A-Za-z\[:].*[;,] +\/\/ / { sub(/ +\/\/ /, "  ///< ") }
{ print }
