Feature: Pushes reach the phones that are registered when they are sent
  Phones change while pushes are sent: apps are removed and reinstalled, tokens are replaced, people log out. Each
  push reaches the phones that are registered when it is sent, once.

  Background:
    Given a push service
    And "ana" has registered "anas-phone"

  @PE-R2.silent
  Scenario: A phone receives pushes until the second before it expires
    Given 89 days pass
    And 86399 seconds pass
    When the operator pushes to "ana"
    Then the push reached "anas-phone"
    When 1 second passes
    And the operator pushes to "ana"
    Then the push reached no phone
    And the response's "devices" is "[]"

  @PE-P2.renewed @PE-P4.push
  Scenario: A phone with a new token is reached only through that token
    When "ana" opens the app on "anas-phone", which has a new token
    And the operator pushes to "ana"
    Then the response's "sent" is "1"
    And the push reached "anas-phone"
    And it was sent to the token "{token of anas-phone}"

  @PE-P5.inactive @PE-P4.push
  Scenario: A phone receives nothing after a logout until it registers again
    When "ana" logs out on "anas-phone"
    And the operator pushes to "ana"
    Then the push reached no phone
    When "ana" registers "anas-phone"
    And the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-R7.all @PE-P4.push
  Scenario: A user who deleted all phones receives no more pushes
    When "ana" deletes all phones
    And the operator pushes to "ana"
    Then the push reached no phone

  @PE-P4.retry
  Scenario: A push is retried while the push service is briefly unavailable, and delivered once
    Given the push service is unavailable for 2 requests
    When the operator pushes to "ana"
    Then the response's "sent" is "1"
    And the push reached "anas-phone"

  @PE-P4.dead @PE-P2.renewed
  Scenario: An app that is reinstalled with the same token during a push stays registered
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and a second later the app is reinstalled on "anas-phone" before the push service responds
    Then the response's "failed" is "1"
    And the response's "devices.0.outcome" is "failed"
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"
    When the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-P4.dead
  Scenario: A device that is deleted during a push is not restored
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and "ana" deletes "anas-phone" before the push service responds
    Then the response's "failed" is "1"
    When "ana" looks at "anas-phone"
    Then it is not found

  @PE-P4.retry
  Scenario: An unavailable push service is tried five times, with doubling pauses
    Given the push service is unavailable for 5 requests
    When the operator pushes to "ana"
    Then the service retried after 1, 2, 4 and 8 seconds, with up to 50% jitter
    And the push has this result for each phone:
      | anas-phone | failed | not available |
    When the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-P4.push
  Scenario: A phone shows the operator's text, and its app gets the data
    When the operator pushes to "ana"
    Then it shows "Your photo is ready" and "Tap to see it.", and the app gets {"jobId":"42"}

  @PE-P4.push @PE-P4.dead
  Scenario: Each phone has its own push result
    Given "ana" has a phone "an-odd-phone" with the token "apns:0123"
    And "ana" has registered "b-phone"
    And "ana" has registered "c-phone"
    And the app is removed from "b-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana"
    Then the push has this result for each phone:
      | an-odd-phone | failed      | not an Expo push token |
      | anas-phone   | sent        |                       |
      | b-phone      | deactivated | no longer registered  |
      | c-phone      | sent        |                       |
    And the response's "sent" is "2"
    And the response's "failed" is "1"
    And the response's "deactivated" is "1"
    And the push reached "anas-phone, c-phone"
    When "ana" lists the phones that get pushes
    Then they are "an-odd-phone, anas-phone, c-phone"

  @PE-P4.push
  Scenario: A user with more phones than fit into one push request is reached on all of them
    Given "bob" has registered 101 phones
    When the operator pushes to "bob"
    Then the push reached 101 phones, each once
    And the response's "sent" is "101"
    And the response's "failed" is "0"
