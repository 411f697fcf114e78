Feature: A push meets phones that come and go
  Phones change while pushes are on their way: apps are removed and come back, tokens are replaced, people log out. Each push
  reaches the phones that are there when it is sent, once.

  Background:
    Given a push service
    And "ana" has registered "anas-phone"

  @PE-R2.silent
  Scenario: The last push comes in the second before a phone expires
    Given 89 days pass
    And 86399 seconds pass
    When the operator pushes to "ana"
    Then the push reached "anas-phone"
    When 1 second passes
    And the operator pushes to "ana"
    Then the push reached ""
    And the answer's "devices" is "[]"

  @PE-P2.renewed @PE-P4.push
  Scenario: A phone with a new token is reached by it alone
    When "ana" opens the app on "anas-phone", which has a new token
    And the operator pushes to "ana"
    Then the answer's "sent" is "1"
    And the push reached "anas-phone"
    And it came by "{token of anas-phone}"

  @PE-P5.inactive @PE-P4.push
  Scenario: A phone is told nothing from the logout on, until it registers again
    When "ana" logs out on "anas-phone"
    And the operator pushes to "ana"
    Then the push reached ""
    When "ana" registers "anas-phone"
    And the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-R7.all @PE-P4.push
  Scenario: Whoever asked for the deletion of everything is told nothing more
    When "ana" asks for everything to be deleted
    And the operator pushes to "ana"
    Then the push reached ""

  @PE-P4.retry
  Scenario: A push service that is away for a moment is asked again, and the push comes once
    Given the push service is away for 2 requests
    When the operator pushes to "ana"
    Then the answer's "sent" is "1"
    And the push reached "anas-phone"

  @PE-P4.dead @PE-P2.renewed
  Scenario: An app that comes back with the same token while its push is on the way stays registered
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and a second later the app is back on "anas-phone" before the push service has answered
    Then the answer's "failed" is "1"
    And the answer's "devices.0.outcome" is "failed"
    When "ana" asks which phones get pushes
    Then they are "anas-phone"
    When the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-P4.dead
  Scenario: The name of a device that was deleted meanwhile is not brought back
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and "ana" deletes "anas-phone" before the push service has answered
    Then the answer's "failed" is "1"

  @PE-P4.retry
  Scenario: A push service that stays away is asked five times, with pauses that double
    Given the push service is away for 5 requests
    When the operator pushes to "ana"
    Then the service waited 1, 2, 4 and 8 seconds, each up to half less or more by chance, before it asked again
    And the push ended for each phone as:
      | anas-phone | failed | not available |
    When the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-P4.push
  Scenario: A phone shows what the operator wrote, and its app gets the data
    When the operator pushes to "ana"
    Then it shows "Your photo is ready" and "Tap to see it.", and the app gets {"jobId":"42"}

  @PE-P4.push @PE-P4.dead
  Scenario: Each phone's push ends for itself
    Given "ana" has a phone "an-odd-phone" with the token "apns:0123"
    And "ana" has registered "b-phone"
    And "ana" has registered "c-phone"
    And the app is removed from "b-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana"
    Then the push ended for each phone as:
      | an-odd-phone | failed      | no Expo push token    |
      | anas-phone   | sent        |                       |
      | b-phone      | deactivated | not registered        |
      | c-phone      | sent        |                       |
    And the answer's "sent" is "2"
    And the answer's "failed" is "1"
    And the answer's "deactivated" is "1"
    And the push reached "anas-phone, c-phone"
    When "ana" asks which phones get pushes
    Then they are "an-odd-phone, anas-phone, c-phone"

  @PE-P4.push
  Scenario: A user with more phones than one request of the push service takes is told on each of them
    Given "bob" has registered 101 phones
    When the operator pushes to "bob"
    Then the answer's "sent" is "101"
    And the answer's "failed" is "0"
