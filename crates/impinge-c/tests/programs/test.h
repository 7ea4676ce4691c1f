// What the test programs share.
#ifndef TEST_H
#define TEST_H

#include <impinge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program with the place if something does not hold.
#define CHECK(holds)                                                                                         \
    do {                                                                                                     \
        if (!(holds)) {                                                                                      \
            fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #holds,                      \
                    impinge_last_error());                                                                   \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#define OK(call) CHECK((call) == IMPINGE_STATUS_OK)

// A call fails with a status and a text that contains `part`.
#define FAILS(call, status, part)                                                                            \
    do {                                                                                                     \
        CHECK((call) == (status));                                                                           \
        CHECK(strstr(impinge_last_error(), (part)) != NULL);                                                 \
    } while (0)

#define REFUSED(call, part) FAILS(call, IMPINGE_STATUS_INVALID_ARGUMENT, part)

#endif
