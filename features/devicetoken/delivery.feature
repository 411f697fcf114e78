Feature: A push meets phones that come and go
  Phones change while pushes are on their way: apps are removed and come back, tokens are replaced, people log out. Each push
  reaches the phones that are there when it is sent, once.

  Background:
    Given a push service
    And "ana" has registered "anas-phone"

  @PE-R2
  Scenario: The last push comes in the second before a phone expires
    Given 89 days pass
    And 86399 seconds pass
    When the operator pushes to "ana"
    Then the push reached "anas-phone"
    When 1 second passes
    And the operator pushes to "ana"
    Then the push reached ""
    And the answer's "devices" is "[]"

  @PE-P2 @PE-P4
  Scenario: A phone with a new token is reached by it alone
    When "ana" opens the app on "anas-phone", which has a new token
    And the operator pushes to "ana"
    Then the answer's "sent" is "1"
    And the push reached "anas-phone"
    And it came by "{token of anas-phone}"

  @PE-P5 @PE-P4
  Scenario: A phone is told nothing from the logout on, until it registers again
    When "ana" logs out on "anas-phone"
    And the operator pushes to "ana"
    Then the push reached ""
    When "ana" registers "anas-phone"
    And the operator pushes to "ana"
    Then the push reached "anas-phone"

  @PE-R7 @PE-P4
  Scenario: Whoever asked for the deletion of everything is told nothing more
    When "ana" asks for everything to be deleted
    And the operator pushes to "ana"
    Then the push reached ""

  @PE-P4
  Scenario: A push service that is away for a moment is asked again, and the push comes once
    Given the push service is away for 2 requests
    When the operator pushes to "ana"
    Then the answer's "sent" is "1"
    And the push reached "anas-phone"

  @PE-O8 @PE-P2
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

  @PE-O8 @PE-P1
  Scenario: The name of a device that was deleted meanwhile is not brought back
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and "ana" deletes "anas-phone" before the push service has answered
    Then the answer's "failed" is "1"
    And table "photoeditor-dev-device-tokens" holds no items
