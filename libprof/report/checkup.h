/* SPDX-License-Identifier: MIT */
/*
 * checkup.h - what is wrong with a profile that can be read, and what is suspicious.
 *
 * A fault breaks a rule of profile.proto or of the caller. A doubt makes numbers less
 * than they seem: few samples, names missing, stacks cut short.
 *
 * Order:   faults first, then by id. Ids are stable over versions.
 */
#ifndef PROF_REPORT_CHECKUP_H
#define PROF_REPORT_CHECKUP_H

#include "libprof/model/profile.h"

enum prof_finding_kind {
	PROF_FAULT,
	PROF_DOUBT,
};

struct prof_finding {
	const char *id; /* "C03" */
	enum prof_finding_kind kind;
	uint64_t count;     /* things found */
	uint64_t of;        /* of how many; 0 when that makes no sense */
	const char *what;   /* "locations outside their mapping" */
	const char *remedy; /* what to do about it, or "" */
};

enum { PROF_FINDINGS_MAX = 16 };

struct prof_checkup {
	struct prof_finding findings[PROF_FINDINGS_MAX];
	uint32_t count;
	uint32_t faults;
};

/* Look at everything. The profile has passed prof_profile_validate(). */
bool prof_check(const struct prof_profile *profile, struct prof_checkup *out,
		struct prof_error *err) PROF_NODISCARD;

/* Whether the types are exactly these, in this order, whatever their units. */
bool prof_check_types(const struct prof_profile *profile, const struct prof_text *types,
		      size_t count);

#endif
