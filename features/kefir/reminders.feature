Feature: Brewers are reminded
  A reminder is pending until it falls due and is pushed to the user's phones, or until it is cancelled: one of the two, once,
  however many schedulers run.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P8
  Scenario: A batch's reminders, whatever has become of them
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And "ana" has set the reminder "buy sugar" on "ginger" in 3 hours
    And "ana" cancels the reminder "buy sugar" on "ginger"
    When "ana" lists the reminders of "ginger"
    Then the list is "bottle it pending, buy sugar cancelled" in any order

  @KF-P9.range @KF-P9.order @KF-D2
  Scenario: What is coming up in the next 7 days, the next one first
    Given "ana" has started the batch "figs"
    And "ana" has set the reminder "in a week and a day" on "ginger" in 8 days
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    And "ana" has set the reminder "soon" on "figs" in 2 hours
    When "ana" asks what is coming up
    Then the list is "soon pending, tomorrow pending"
    When "ana" asks what is coming up in the next 9 days
    Then the list is "soon pending, tomorrow pending, in a week and a day pending"

  @KF-P10.first
  Scenario: A reminder that could not be pushed is sent by a later run
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    When a scheduler runs
    And 3 hours pass
    And a scheduler runs
    And the push service is back
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-P10.held
  Scenario: An hour is read again as long as a reminder of it is pending
    Given "ana" has the phone "anas-phone"
    And a scheduler runs
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    And a scheduler runs
    When 5 hours pass
    And a scheduler runs
    And the push service is back
    And 1 hour passes
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-R5.pushed
  Scenario: A reminder that falls due is pushed to every phone of the user and noted as sent
    Given "ana" has the phone "anas-phone"
    And "ana" has the phone "anas-tablet"
    And "bob" has the phone "bobs-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When a scheduler runs
    Then "anas-phone" received nothing
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    And "anas-tablet" received "bottle it"
    And "bobs-phone" received nothing

  @KF-R5.once
  Scenario: Many schedulers that run at once send each reminder once
    Given "ana" has the phone "anas-phone"
    And "ana" has set 20 reminders on "ginger", a minute apart
    When 2 hours pass
    And 6 schedulers run at once
    Then "anas-phone" received 20 reminders, each once

  @KF-R5.cancelled
  Scenario: A cancelled reminder is never sent
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the answer's "status" is "cancelled"
    And the answer's "cancelledAt" is "{now}"
    When 3 hours pass
    And a scheduler runs
    Then "anas-phone" received nothing
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the request succeeds
    And the answer's "status" is "cancelled"

  @KF-R5.cancelled
  Scenario: A reminder that was sent cannot be cancelled
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler runs
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the answer says "was sent at {now}"

  @KF-R5.sending
  Scenario: A reminder that is being sent cannot be cancelled
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the answer says "being sent"
    And "anas-phone" received "bottle it"

  @KF-R5.claim
  Scenario: After a scheduler that died the next one waits for its claim to end, pushes again, and the reminder is sent once
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler dies between push and note
    When a scheduler runs
    Then "anas-phone" received "bottle it"
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it, bottle it"

  @KF-R5.retry
  Scenario: While the push service is away a reminder stays pending, and is sent when it is back
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    When a scheduler runs
    And the push service is back
    And a scheduler runs
    Then "anas-phone" received nothing
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-R5.end
  Scenario: A reminder that cannot be pushed for a day is given up
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    And a scheduler runs
    When 23 hours pass
    And a scheduler runs
    And 1 hour passes
    And a scheduler runs
    And the push service is back
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received nothing

  @KF-R5.once
  Scenario: While one scheduler is sending a reminder another one leaves it alone
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service has answered, another one runs
    Then "anas-phone" received "bottle it"

  @KF-R5.sending
  Scenario: A reminder whose push takes long cannot be cancelled meanwhile
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service has answered, "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the answer says "being sent"

  @KF-R5.devices
  Scenario: A device that the push service does not know any more is removed, and the others get the reminder
    Given "ana" has the phone "anas-phone"
    And "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When "ana" lists her devices
    Then the list is "anas-phone"

  @KF-R5.silent
  Scenario: A user who wants no notifications gets none, and the reminder is noted as sent
    Given "ana" has the phone "anas-phone"
    And "ana" puts her profile as {"email": "ana@example.com", "preferences": {"notificationsEnabled": false}}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received nothing

  @KF-R5.log
  Scenario: No log shows where a reminder went or what it said
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it secretly" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    When a scheduler runs
    Then the log was written to but never shows "secretly"
    And the log was written to but never shows "ExponentPushToken"
