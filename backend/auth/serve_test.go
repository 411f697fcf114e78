package auth

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestOIDCVerifiesLocalIssuer checks that the production verifier accepts a token of the local issuer.
func TestOIDCVerifiesLocalIssuer(t *testing.T) {
	t.Parallel()
	i, server := mounted(t)
	response, err := http.Post(i.URL+"/token", "application/json",
		strings.NewReader(`{"subject":"ana","roles":["reviewer"],"lifetime":60}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
	}
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil || got.TokenType != "Bearer" || got.ExpiresIn != 60 {
		t.Fatalf("%+v, %v", got, err)
	}
	v, err := NewOIDC(i.URL, Audience, server.Client(), fixed)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []Verifier{v, i} {
		claims, err := v.Verify(t.Context(), got.AccessToken)
		if err != nil || claims.Subject != "ana" || len(claims.Roles) != 1 || claims.Roles[0] != "reviewer" {
			t.Errorf("%+v, %v", claims, err)
		}
	}
}

func TestTokenRequestErrorsNameTheField(t *testing.T) {
	t.Parallel()
	i, _ := mounted(t)
	for body, field := range map[string]string{
		``:                              `"body"`,
		`[]`:                            `"body"`,
		`{"subject":7}`:                 `"body"`,
		`{"subject":"a","admin":true}`:  `"body"`,
		`{}`:                            `"body.subject"`,
		`{"subject":"a#b"}`:             `"body.subject"`,
		`{"subject":"a","lifetime":0}`:  `"body.lifetime"`,
		`{"subject":"a","lifetime":-1}`: `"body.lifetime"`,
		`{"subject":"a","lifetime":9223372036854775807}`:              `"body.lifetime"`,
		`{"subject":"a","roles":["b c"]}`:                             `"body.roles"`,
		`{"subject":"` + strings.Repeat("a", maxRequest) + `"}`:       `"body"`,
		`{"subject":"a","roles":["` + strings.Repeat("b", 65) + `"]}`: `"body.roles"`,
	} {
		response, err := http.Post(i.URL+"/token", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var problem struct{ Errors []struct{ Location string } }
		err = json.NewDecoder(response.Body).Decode(&problem)
		response.Body.Close()
		if err != nil || response.StatusCode/100 != 4 || len(problem.Errors) != 1 ||
			`"`+problem.Errors[0].Location+`"` != field {
			t.Errorf("%.60s: %d %+v %v, want %s", body, response.StatusCode, problem, err, field)
		}
	}
}

func mounted(t *testing.T) (*Issuer, *httptest.Server) {
	t.Helper()
	i, mux := newIssuer(t), http.NewServeMux()
	i.Mount(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL + "/auth"
	return i, server
}
