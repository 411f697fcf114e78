package process

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/elazarl/goproxy"
)

// Guard is an HTTP proxy on this machine that refuses requests to the real clouds and passes on all others. It protects
// only clients that use the proxy of their environment; a client that does not has the environment's credentials, which
// no cloud accepts.
type Guard struct {
	listener net.Listener
	server   *http.Server

	mu      sync.Mutex
	refused []string
}

// clouds are the ends of the names of hosts that are refused.
var clouds = []string{
	".amazonaws.com", ".amazonaws.com.cn", ".api.aws", ".documents.azure.com", ".documents.azure.cn",
	".documents.azure.us",
}

// maxRefused bounds how many hosts a guard remembers.
const maxRefused = 20

// NewGuard starts a guard on a free port.
func NewGuard() (*Guard, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("no free port for the guard: %w", err)
	}
	g := &Guard{listener: listener}
	proxy := goproxy.NewProxyHttpServer()
	proxy.Logger = log.New(io.Discard, "", 0)
	cloud := goproxy.ReqConditionFunc(func(r *http.Request, _ *goproxy.ProxyCtx) bool { return isCloud(r.URL.Hostname()) })
	proxy.OnRequest(cloud).HandleConnectFunc(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		g.refuse(host)
		return goproxy.RejectConnect, host
	})
	proxy.OnRequest(cloud).DoFunc(func(r *http.Request, _ *goproxy.ProxyCtx) (*http.Request, *http.Response) {
		g.refuse(r.URL.Host)
		return r, goproxy.NewResponse(r, goproxy.ContentTypeText, http.StatusForbidden,
			"refused by tabletop explore: use the endpoint of the environment\n")
	})
	g.server = &http.Server{Handler: proxy}
	go func() { _ = g.server.Serve(listener) }()
	return g, nil
}

func isCloud(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return slices.ContainsFunc(clouds, func(end string) bool { return strings.HasSuffix(host, end) })
}

func (g *Guard) refuse(host string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.refused, host) && len(g.refused) < maxRefused {
		g.refused = append(g.refused, host)
	}
}

// Refused returns the hosts to which requests were refused, at most 20, in the order of the first request to each.
func (g *Guard) Refused() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.refused)
}

// environment returns the variables by which clients use the guard, but not for this machine.
func (g *Guard) environment() []string {
	var all []string
	url := "http://" + g.listener.Addr().String()
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		all = append(all, name+"="+url)
	}
	const local = "127.0.0.1,localhost,::1"
	return append(all, "NO_PROXY="+local, "no_proxy="+local, "NODE_USE_ENV_PROXY=1")
}

// Close ends the guard and all connections through it.
func (g *Guard) Close() error {
	err := g.server.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
