package service

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
)

// adminResponse is the emulator's response to an admin request.
type adminResponse struct {
	status int
	body   string
}

func (w *world) commands(sc *godog.ScenarioContext) {
	sc.Step(`^((?:GET|POST|PUT|DELETE) \S+) is sent$`, func(ctx context.Context, request string) error {
		return w.command(ctx, request, "", "")
	})
	sc.Step(`^((?:GET|POST|PUT|DELETE) \S+) is sent with (\{.*\})$`,
		func(ctx context.Context, request, body string) error {
			return w.command(ctx, request, body, "")
		})
	sc.Step(`^((?:GET|POST|PUT|DELETE) \S+) is sent with the header "([^"]*)"$`,
		func(ctx context.Context, request, header string) error {
			return w.command(ctx, request, "", header)
		})
	sc.Step(`^the emulator responds with (\d+)$`, func(status int) error { return w.responds(status, "") })
	sc.Step(`^the emulator responds with (\d+) and shows "(.*)"$`, w.responds)
	sc.Step(`^the emulator does not show "([^"]*)"$`, func(text string) error {
		if strings.Contains(w.response.body, text) {
			return fmt.Errorf("it says %s", w.response.body)
		}
		return nil
	})
	sc.Step(`^an emulator that other machines reach$`, func() error {
		return w.Restart(emulator.WithDynamoDBAddr("0.0.0.0:0"))
	})
	sc.Step(`^an emulator that other machines reach, with its admin API open to the host "([^"]*)"$`,
		func(host string) error {
			return w.Restart(emulator.WithDynamoDBAddr("0.0.0.0:0"), emulator.WithAdmin(host))
		})
}

// command sends a request like a program on this machine does, with one header added or replaced.
func (w *world) command(ctx context.Context, request, body, header string) error {
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(ctx, method, w.Target.Emulator.DynamoDBURL()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if name, value, ok := strings.Cut(header, ": "); ok {
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	return w.send(r)
}

// send sends a request and keeps its response for the steps about responses of the emulator.
func (w *world) send(r *http.Request) error {
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	w.response = adminResponse{answer.StatusCode, string(text)}
	return err
}

// responds checks the emulator's response to the last admin request.
func (w *world) responds(status int, says string) error {
	if w.response.status != status || !strings.Contains(w.response.body, says) {
		return fmt.Errorf("it responds with %d %s", w.response.status, w.response.body)
	}
	return nil
}
