// Package pushgateway is the push services that phones get their notifications from, on a desk: Expo's push API, FCM
// HTTP v1 and APNs, each with its own forms, errors and limits, behind one http.Handler.
//
//	POST /--/api/v2/push/send, /--/api/v2/push/getReceipts   Expo
//	POST /v1/projects/{project}/messages:send                FCM
//	POST /3/device/{token}                                   APNs, over HTTP/2
//	/gateway/…                                               what no service has: phones, deliveries, faults
//
// Phones come into being by POST /gateway/phones, or Gateway.Install, and are told their tokens; the gateway keeps what
// each one received, so that a simulation or a scenario can hold it against what was sent. The app of a phone that was
// uninstalled answers as the services do: FCM and APNs refuse its token at once. Expo takes the first message, says
// DeviceNotRegistered in its receipt, and refuses the next ones by their tickets.
//
// Time comes from Config.Now alone: receipts appear and limits end by it. Nothing here is a secret, and nothing leaves
// the machine.
package pushgateway
