package cosmos

import "testing"

// TestOffersOfLikeResourceIDsAreApart holds that of two resource ids that differ in the case of a letter each finds its own
// offer: base64 tells the cases apart.
func TestOffersOfLikeResourceIDsAreApart(t *testing.T) {
	t.Parallel()
	upper, lower, other := &offer{rid: "AGaA"}, &offer{rid: "AgaA"}, &offer{rid: "BBBB"}
	c := &catalog{offers: map[string]*offer{"1": upper, "2": lower, "3": other}}
	for rid, want := range map[string]*offer{"AGaA": upper, "AgaA": lower, "BBBB": other, "bbbb": other, "agaa": nil, "CCCC": nil} {
		if got := c.offer(rid); got != want {
			t.Errorf("%s finds %v, not %v", rid, got, want)
		}
	}
}
