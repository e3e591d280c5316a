/* The version of wick, set by the build. */
#ifndef WICK_BASE_VERSION_H
#define WICK_BASE_VERSION_H

extern const char wick_version[]; /* "1.2.3" */

#endif
