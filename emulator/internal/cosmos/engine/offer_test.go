package engine

import "testing"

// TestOfferLookupIgnoresCaseOnlyIfUnambiguous checks that two resource ids that differ only in case each find their own
// offer: base64 is case-sensitive.
func TestOfferLookupIgnoresCaseOnlyIfUnambiguous(t *testing.T) {
	t.Parallel()
	upper, lower, other := &Offer{rid: "AGaA"}, &Offer{rid: "AgaA"}, &Offer{rid: "BBBB"}
	c := &Catalog{offers: map[string]*Offer{"1": upper, "2": lower, "3": other}}
	for rid, want := range map[string]*Offer{"AGaA": upper, "AgaA": lower, "BBBB": other, "bbbb": other,
		"agaa": nil, "CCCC": nil} {
		if got := c.Offer(rid); got != want {
			t.Errorf("%s finds %v, not %v", rid, got, want)
		}
	}
}
