/*
 * Macros of headers that programs include before ours. Each stands for something that does not compile, so
 * a header that uses one of these names fails.
 */
#define POISON @

/* X11/X.h, X11/Xlib.h */
#define Above POISON
#define Always POISON
#define Below POISON
#define Bool POISON
#define Complex POISON
#define CurrentTime POISON
#define Expose POISON
#define False POISON
#define None POISON
#define Status POISON
#define Success POISON
#define True POISON
#define Unsorted POISON

/* windows.h */
#define CONST POISON
#define CreateEvent POISON
#define DELETE POISON
#define ERROR POISON
#define FAR POISON
#define GetMessage POISON
#define IN POISON
#define NEAR POISON
#define NO_ERROR POISON
#define OPTIONAL POISON
#define OUT POISON
#define SendMessage POISON
#define TIMEOUT POISON
#define far POISON
#define interface POISON
#define max(a, b) POISON
#define min(a, b) POISON
#define near POISON
#define small POISON

/* sys/sysmacros.h, syslog.h, complex.h, termios.h */
#define B0 POISON
#define I POISON
#define LOG_DEBUG POISON
#define LOG_ERR POISON
#define LOG_INFO POISON
#define major POISON
#define minor POISON

/* gcc without -std=c99 */
#define linux POISON
#define unix POISON

/* Qt, and log or test libraries */
#define CHECK(condition) POISON
#define check(condition) POISON
#define DEBUG POISON
#define INFO POISON
#define WARN POISON
#define emit POISON
#define foreach POISON
#define signals POISON
#define slots POISON
