package engine

import "testing"

// TestOffersOfLikeResourceIDsAreApart holds that of two resource ids that differ in the case of a letter each finds its
// own offer: base64 tells the cases apart.
func TestOffersOfLikeResourceIDsAreApart(t *testing.T) {
	t.Parallel()
	upper, lower, other := &Offer{rid: "AGaA"}, &Offer{rid: "AgaA"}, &Offer{rid: "BBBB"}
	c := &Catalog{offers: map[string]*Offer{"1": upper, "2": lower, "3": other}}
	for rid, want := range map[string]*Offer{"AGaA": upper, "AgaA": lower, "BBBB": other, "bbbb": other, "agaa": nil, "CCCC": nil} {
		if got := c.Offer(rid); got != want {
			t.Errorf("%s finds %v, not %v", rid, got, want)
		}
	}
}
