Feature: A user's notifications reach the phones that are there for them
  When a photo is ready, each of its user's phones is told. Operators see which phones would be told, and why others would not.

  Background:
    Given a push service

  @PE-P4.push @PE-O8.hidden
  Scenario: A push goes to the user's phones and to nobody else's
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    When the operator pushes to "ana"
    Then the answer's "sent" is "2"
    And the push reached "anas-phone, anas-tablet"
    And the answer does not show "ExponentPushToken"

  @PE-P4.dead
  Scenario: A phone without the app is deactivated, and gets no third push
    Given "ana" has registered "anas-phone"
    And the app is removed from "anas-phone"
    When the operator pushes to "ana"
    And the operator pushes to "ana"
    Then the answer's "deactivated" is "1"
    And the answer's "devices.0.outcome" is "deactivated"
    When the operator pushes to "ana"
    Then the answer's "devices" is "[]"

  @PE-P4.retry @PE-P4.dead
  Scenario: A push service that is too busy deactivates nobody
    Given "ana" has registered "anas-phone"
    And the push service asks for fewer messages
    When the operator pushes to "ana"
    Then the answer's "failed" is "1"
    And the answer says "the push service asks for fewer messages"
    When "ana" asks which phones get pushes
    Then they are "anas-phone"
