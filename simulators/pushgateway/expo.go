package pushgateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	maxExpoMessages = 100
	maxExpoReceipts = 1000
	maxPayload      = 4096 // bytes; limit of Apple and Google
	receiptLifetime = 24 * time.Hour
)

// outcome is a ticket or a receipt.
type outcome struct {
	Status  string            `json:"status"`
	ID      string            `json:"id,omitempty"`
	Message string            `json:"message,omitempty"`
	Details map[string]string `json:"details,omitempty"`
}

// receipt is the receipt of a message, which is available for a limited time.
type receipt struct {
	outcome  outcome
	ticketAt time.Time
}

func expoErrorTicket(code, message string) outcome {
	return outcome{Status: "error", Message: message, Details: map[string]string{"error": code}}
}

func (g *Gateway) expoSend(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	fault, failing := g.takeFault(Expo)
	if failing && fault.Status != 0 {
		g.refuse(Expo, "", cmp.Or(fault.Code, http.StatusText(fault.Status)))
	}
	g.mu.Unlock()
	if failing && fault.Status != 0 {
		writeExpoFault(w, fault)
		return
	}
	if refused := g.checkExpoRequest(r); refused != nil {
		refused.write(w)
		return
	}
	messages, single, refused := parseExpo(r)
	if refused != nil {
		refused.write(w)
		return
	}
	tickets, refused := g.expoTickets(messages, fault, failing)
	switch {
	case refused != nil:
		refused.write(w)
	case single && len(tickets) == 1:
		writeJSON(w, http.StatusOK, map[string]any{"data": tickets[0]})
	default:
		writeJSON(w, http.StatusOK, map[string]any{"data": tickets})
	}
}

// expoTickets accepts or refuses the messages of a request, or refuses the whole request. It does not write the
// response, because g.mu must not wait for a client.
func (g *Gateway) expoTickets(messages []expoMessage, fault Fault, failing bool) ([]outcome, *expoError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if refused := g.checkExpoLimits(messages); refused != nil {
		g.refuse(Expo, "", refused.code)
		return nil, refused
	}
	tickets := make([]outcome, len(messages))
	for i, m := range messages {
		if failing {
			tickets[i] = expoErrorTicket(fault.Code, fault.Code)
		} else {
			tickets[i] = g.expoTicket(m)
		}
		g.refuseOutcome(m.to, tickets[i])
	}
	return tickets, nil
}

// checkExpoLimits checks a whole request against the limits: one project, and a number of notifications per second.
// REQUIRES: g.mu is held.
func (g *Gateway) checkExpoLimits(messages []expoMessage) *expoError {
	projects := map[string][]string{}
	for _, m := range messages {
		if r := g.tokens[m.to]; r != nil && r.service == Expo {
			projects[r.phone.Project] = append(projects[r.phone.Project], m.to)
		}
	}
	if len(projects) > 1 {
		return &expoError{http.StatusBadRequest, "PUSH_TOO_MANY_EXPERIENCE_IDS",
			"All push notification messages in the same request must be for the same project; check the details field to investigate conflicting tokens.",
			projects}
	}
	for project := range projects {
		if _, ok := g.allow("expo "+project, len(messages), g.cfg.ExpoPerSecond, time.Second); !ok {
			return &expoError{http.StatusTooManyRequests, "TOO_MANY_REQUESTS",
				fmt.Sprintf("You are exceeding the limit of %d notifications per second per project.", g.cfg.ExpoPerSecond), nil}
		}
	}
	return nil
}

// expoTicket accepts or refuses a message. The first message to a phone without the app gets an ok ticket and a failed
// receipt; after that Expo knows. REQUIRES: g.mu is held.
func (g *Gateway) expoTicket(m expoMessage) outcome {
	r := g.tokens[m.to]
	if r == nil || r.service != Expo || r.knownToExpo {
		return expoErrorTicket("DeviceNotRegistered", strconv.Quote(m.to)+" is not a registered push notification recipient")
	}
	id := g.newID()
	prune(g.receipts, minHistory, func(r receipt) bool { return g.now().Sub(r.ticketAt) >= receiptLifetime })
	result := g.expoDeliver(id, r, m)
	g.refuseOutcome(m.to, result)
	g.receipts[id] = receipt{outcome: result, ticketAt: g.now()}
	return outcome{Status: "ok", ID: id}
}

// refuseOutcome records a ticket or a receipt that is an error. REQUIRES: g.mu is held.
func (g *Gateway) refuseOutcome(token string, o outcome) {
	if o.Status == "error" {
		g.refuse(Expo, token, o.Details["error"])
	}
}

// expoDeliver passes a message to Apple or Google, and returns its receipt. REQUIRES: g.mu is held.
func (g *Gateway) expoDeliver(id string, r *registration, m expoMessage) outcome {
	switch {
	case m.size > maxPayload:
		return expoErrorTicket("MessageTooBig", "The notification payload is bigger than 4096 bytes.")
	case !r.invalidSince.IsZero():
		r.knownToExpo = true
		return expoErrorTicket("DeviceNotRegistered", "The recipient device is not registered with "+
			map[string]string{APNs: "APNs",
				FCM: "FCM"}[serviceOf(r.phone.Platform)]+".")
	}
	g.deliver(Delivery{Phone: r.phone.ID, Service: Expo, Token: m.to, ID: id, Title: m.Title, Body: m.Body, Data: m.Data})
	return outcome{Status: "ok"}
}

// expoReceipts responds with the available receipts of the given tickets.
func (g *Gateway) expoReceipts(w http.ResponseWriter, r *http.Request) {
	if refused := g.checkExpoRequest(r); refused != nil {
		refused.write(w)
		return
	}
	ids, refused := parseReceiptIDs(r)
	if refused != nil {
		refused.write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": g.availableReceipts(ids)})
}

// availableReceipts returns the receipts of these tickets that are available now.
func (g *Gateway) availableReceipts(ids []string) map[string]outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	found := map[string]outcome{}
	for _, id := range ids {
		receipt, ok := g.receipts[id]
		if age := g.now().Sub(receipt.ticketAt); ok && age >= g.cfg.ReceiptAfter && age < receiptLifetime {
			found[id] = receipt.outcome
		}
	}
	return found
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only when the client has disconnected
}
