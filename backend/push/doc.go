// Package push sends notifications to phones: by Expo's push service, and by the two services below it, FCM for Android
// and APNs for iOS, where an app has native tokens.
//
//	service   request                                  one request is for      a phone that is gone answers
//	Expo      POST /--/api/v2/push/send                up to 100 messages      ticket or receipt DeviceNotRegistered
//	FCM       POST /v1/projects/{project}/messages:send  one message           404 UNREGISTERED
//	APNs      POST /3/device/{token}, HTTP/2           one message             410 Unregistered, with the time
//
// Each is a Sender, and tells what became of each message by the same few errors. A request that the service was too
// busy for, or that got no answer, is sent again after a pause that doubles in the mean, or that the service asks for
// by Retry-After. Where an answer got lost a message can so arrive twice: none of the services takes a key against
// that, and Expo itself promises no more than that a message is handed on at least once.
//
// Tokens are secrets: whoever has one can write to the phone. No error of this package holds one, nor what a service
// said about it, since they repeat it there.
package push
