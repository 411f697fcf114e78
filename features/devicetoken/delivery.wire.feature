Feature: A push meets phones that come and go, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given a push service
    And "ana" has registered "anas-phone"

  @PE-P4.dead
  Scenario: The name of a device that was deleted meanwhile is not brought back, on the wire
    Given the app is removed from "anas-phone"
    And the operator pushes to "ana"
    When the operator pushes to "ana", and "ana" deletes "anas-phone" before the push service has answered
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-P4.dead @needs:commands
  Scenario: A dead phone that cannot be taken off the list is left to the next push, which the others get once
    Given "ana" has registered "b-phone"
    And the app is removed from "b-phone"
    And the operator pushes to "ana"
    And every UpdateItem of "photoeditor-dev-device-tokens" is throttled
    When the operator pushes to "ana"
    Then the answer is 200
    And the push ended for each phone as:
      | anas-phone | sent   |                |
      | b-phone    | failed | not registered |
    And the push reached "anas-phone"
    When no request goes wrong any more
    And the operator pushes to "ana"
    Then the answer's "deactivated" is "1"
