Feature: Notifications reach a user's active phones
  When a photo is ready, its user is notified on each phone. Operators see which phones get pushes, and why others do
  not.

  Background:
    Given a push service

  @PE-P4.push @PE-O8.hidden
  Scenario: A push goes only to the user's own phones
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    When the operator pushes to "ana"
    Then the response's "sent" is "2"
    And the push reached "anas-phone, anas-tablet"
    And the response does not contain "ExponentPushToken"

  @PE-P4.dead
  Scenario: A phone without the app is deactivated and gets no more pushes
    Given "ana" has registered "anas-phone"
    And the app is removed from "anas-phone"
    When the operator pushes to "ana"
    And the operator pushes to "ana"
    Then the response's "deactivated" is "1"
    And the response's "devices.0.outcome" is "deactivated"
    When the operator pushes to "ana"
    Then the response's "devices" is "[]"

  @PE-P4.retry @PE-P4.dead
  Scenario: A rate-limited push deactivates no phone
    Given "ana" has registered "anas-phone"
    And the push service limits its rate
    When the operator pushes to "ana"
    Then the response's "failed" is "1"
    And the response contains "the push service limits the rate of messages"
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"
