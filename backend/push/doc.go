// Package push sends notifications to phones: by Expo's push service, or, for apps with native tokens, by the two
// services behind it, FCM for Android and APNs for iOS.
//
//	service   request                                    one request is for   a phone that is gone answers
//	Expo      POST /--/api/v2/push/send                  up to 100 messages   ticket or receipt DeviceNotRegistered
//	FCM       POST /v1/projects/{project}/messages:send  one message          404 UNREGISTERED
//	APNs      POST /3/device/{token}, HTTP/2             one message          410 Unregistered, with the time
//
// Each is a Sender and reports the result of each message by the same few errors. A request that found the service
// busy, or that got no response, is retried after a randomized pause that doubles, or that the service asks for by
// Retry-After. When a response is lost, a message can therefore arrive twice: no service accepts an idempotency key,
// and Expo itself promises only at-least-once delivery.
//
// Tokens are secrets: anyone who has one can send to the phone. No error of this package contains a token, nor a
// message of a service, because services repeat the token there.
package push
