package advice

import "testing"

func TestSuppressionCoversNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "shop/orders", true},
		{"*", "shop/orders", true},
		{"shop*", "shop/orders", true},
		{"shop/*", "shop/orders", true},
		{"*/orders", "shop/orders", true},
		{"shop/orders", "shop/orders", true},
		{"shop/*", "shop", false},
		{"orders-*", "orders-2030", true},
		{"orders-*", "orders", false},
	} {
		s := Suppression{Rule: "hot-key", Table: c.pattern}
		if got := s.covers(&Finding{Rule: "hot-key", Table: c.name}); got != c.want {
			t.Errorf("%q covers %q: %v", c.pattern, c.name, got)
		}
	}
}
