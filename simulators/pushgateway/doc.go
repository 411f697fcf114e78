// Package pushgateway emulates push services locally: Expo's push API, FCM HTTP v1 and APNs, each with its own formats,
// errors and limits, behind one http.Handler.
//
//	POST /--/api/v2/push/send, /--/api/v2/push/getReceipts   Expo
//	POST /v1/projects/{project}/messages:send                FCM
//	POST /3/device/{token}                                   APNs, over HTTP/2
//	/gateway/…                                               the gateway's own API: phones, deliveries, faults
//
// POST /gateway/phones, or Gateway.Install, creates a phone and returns its tokens. The gateway records what each phone
// received, so that a simulation or a scenario can compare it with what was sent. After the app was uninstalled from a
// phone, the services respond as the real ones do: FCM and APNs refuse its token at once; Expo accepts the first
// message, reports DeviceNotRegistered in its receipt, and refuses further messages in their tickets.
//
// Time comes only from Config.Now: receipts appear and limits end by it. Nothing here is secret, and nothing leaves the
// machine.
package pushgateway
