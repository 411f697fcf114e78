Feature: Pushes reach the phones that are registered when they are sent, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given a push service
    And "ana" has registered "anas-phone"

  @PE-P4.dead
  Scenario: A device that is deleted during a push is not restored, on the wire
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and "ana" deletes "anas-phone" before the push service responds
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-P4.dead @needs:commands
  Scenario: A phone that cannot be deactivated is retried with the next push, and the others get each push once
    Given "ana" has registered "b-phone"
    And the app is removed from "b-phone"
    And the operator pushes to "ana"
    And every UpdateItem of "photoeditor-dev-device-tokens" is throttled
    When the operator pushes to "ana"
    Then the response is 200
    And the push has this result for each phone:
      | anas-phone | sent   |                |
      | b-phone    | failed | no longer registered |
    And the push reached "anas-phone"
    When all faults are removed
    And the operator pushes to "ana"
    Then the response's "deactivated" is "1"
