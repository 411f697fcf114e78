package cli

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestPushGateway checks that the gateway responds at the address it prints until it is stopped.
func TestPushGateway(t *testing.T) {
	t.Parallel()
	s := start(t, "pushgateway", "--addr", "127.0.0.1:0")
	s.await(t, "Press Ctrl-C to stop")
	address := strings.TrimSuffix(s.await(t, `http://[0-9.:]+/gateway/deliveries`), "/gateway/deliveries")
	phone, err := pushgateway.NewClient(address, nil).Install(t.Context(), "", pushgateway.IOS, "")
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(address+"/--/api/v2/push/send", "application/json", strings.NewReader(`{"to":"`+phone.ExpoToken+
		`","title":"Done"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if all, err := pushgateway.NewClient(address, nil).Deliveries(t.Context(), 0); err != nil || len(all) != 1 ||
		all[0].Phone != phone.ID {
		t.Errorf("deliveries %+v, error %v", all, err)
	}
	if got := s.stop(t); got.status != 0 {
		t.Errorf("%+v", got)
	}
	if got := start(t, "pushgateway", "--expo-per-second", "0").wait(t); got.status != 2 {
		t.Errorf("%+v", got)
	}
}
