/* Which version of wick this is: the build knows. */
#ifndef WICK_BASE_VERSION_H
#define WICK_BASE_VERSION_H

extern const char wick_version[]; /* "1.2.3" */

#endif
