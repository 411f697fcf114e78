package identity

import (
	"testing"
	"time"
)

// TestEdgesOfTheTimesOfSignatures checks that a signature is accepted for five minutes before and after its time, and a
// presigned one until the end of its last second, for a week at most. (Bounds of X-Amz-Expires: "Authenticating
// Requests: Using Query Parameters", Amazon S3 API reference.) An invalid or too long expiry means five minutes.
func TestEdgesOfTheTimesOfSignatures(t *testing.T) {
	t.Parallel()
	const week = 7 * 24 * time.Hour
	signed := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		expires     string // empty: not presigned
		first, last time.Duration
	}{
		{"", -maxSkew, maxSkew},
		{"1", -maxSkew, time.Second},
		{"0", -maxSkew, 0},
		{"3600", -maxSkew, time.Hour},
		{"604800", -maxSkew, week},
		{"604801", -maxSkew, maxSkew},
		{"-1", -maxSkew, maxSkew},
		{"99999999999999999999", -maxSkew, maxSkew},
		{"1e3", -maxSkew, maxSkew},
		{"x", -maxSkew, maxSkew},
	} {
		for _, at := range []struct {
			after time.Duration
			taken bool
		}{
			{c.first - time.Second, false}, {c.first, true}, {0, true}, {c.last, true}, {c.last + time.Second - 1, true},
			{c.last + time.Second, false},
		} {
			now := signed.Add(at.after)
			v := &verifier{now: now, machine: now}
			err := v.checkTime(&claim{date: signed.Format(dateLayout), expires: c.expires, presigned: c.expires != ""}, signed)
			if (err == nil) != at.taken {
				t.Errorf("a signature that expires after %q, %s after its time: %v", c.expires, at.after, err)
			}
		}
	}
}
