package traffic

import (
	"fmt"
	"net/http"
	"strings"
)

// Bodies of the kefir API, with texts long enough to give items the documented sizes where the API allows it: 1 KB for
// a user, 2 KB for a batch, 1 to 3 KB for an event, 1 KB for a reminder or a device.

// text returns a text with this number of characters. Different n give different texts.
func text(length, n int) string {
	const words = "grains strained twice then ginger and lemon a little fizz by noon tastes of figs "
	start := n * 7 % len(words)
	return strings.TrimSpace(strings.Repeat(words[start:]+words[:start], length/len(words)+2)[:length-1]) + "."
}

func kefirProfile(user int) call {
	return call{http.MethodPut, "/kefir/profile", map[string]any{
		"email": fmt.Sprintf("brewer.%05d@kitchen.example.com", user), "name": text(100, user),
		"preferences": map[string]any{"notificationsEnabled": true, "defaultTemperatureC": 22.5},
	}}
}

func newBatch(n int) call {
	return call{http.MethodPost, "/kefir/batches", map[string]any{
		"name": text(60, n), "waterVolumeMl": 1000 + n, "sugarGrams": 60, "fruits": text(300, n), "temperatureC": 22.5,
		"targetHoursStage1": 48, "isPublic": n%5 == 0, "publicNote": text(1000, n),
	}}
}

// note returns a request for a note of 1 to 2 KB, on average 1.5 KB. With its keys, an event is 2 KB on average.
func note(batch string, n int) call {
	return call{http.MethodPost, "/kefir/batches/" + batch + "/events", map[string]string{"type": "note",
		"note": text(1000+n%11*100, n)}}
}

func kefirDevice(user, n int) call {
	return call{http.MethodPut, fmt.Sprintf("/kefir/devices/phone-%05d-%d", user, n), map[string]any{
		"platform": []string{"ios", "android", "web"}[n%3], "pushToken": fmt.Sprintf("ExponentPushToken[%022d]", user*100+n),
		"deviceInfo": map[string]string{"model": text(80, n), "osVersion": "16.2.1", "appVersion": "2.4.1"},
	}}
}
