Feature: Brewers get reminders
  A reminder is pending until it is due and pushed to the user's phones, or until it is cancelled. Exactly one of the
  two happens, once, however many schedulers run.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P8
  Scenario: A user lists a batch's reminders of any status
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And "ana" has set the reminder "buy sugar" on "ginger" in 3 hours
    And "ana" cancels the reminder "buy sugar" on "ginger"
    When "ana" lists the reminders of "ginger"
    Then the list is "bottle it pending, buy sugar cancelled" in any order

  @KF-P9.range @KF-P9.order @KF-D2
  Scenario: A user lists the reminders of the next 7 days, earliest first
    Given "ana" has started the batch "figs"
    And "ana" has set the reminder "in a week and a day" on "ginger" in 8 days
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    And "ana" has set the reminder "soon" on "figs" in 2 hours
    When "ana" lists the upcoming reminders
    Then the list is "soon pending, tomorrow pending"
    When "ana" lists the upcoming reminders in the next 9 days
    Then the list is "soon pending, tomorrow pending, in a week and a day pending"

  @KF-P10.first
  Scenario: A reminder that could not be pushed is sent by a later run
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    When a scheduler runs
    And 3 hours pass
    And a scheduler runs
    And the push service is available again
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-P10.held
  Scenario: The scheduler reads an hour again as long as one of its reminders is pending
    Given "ana" has the phone "anas-phone"
    And a scheduler runs
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    And a scheduler runs
    When 5 hours pass
    And a scheduler runs
    And the push service is available again
    And 1 hour passes
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-R5.pushed
  Scenario: A due reminder is pushed to all phones of the user and marked as sent
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
  Scenario: Many simultaneous schedulers send each reminder once
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
    Then the response's "status" is "cancelled"
    And the response's "cancelledAt" is "{now}"
    When 3 hours pass
    And a scheduler runs
    Then "anas-phone" received nothing
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the request succeeds
    And the response's "status" is "cancelled"

  @KF-R5.cancelled
  Scenario: A reminder that was sent cannot be cancelled
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler runs
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the response contains "was sent at {now}"

  @KF-R5.sending
  Scenario: A reminder that is being sent cannot be cancelled
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the response contains "being sent"
    And "anas-phone" received "bottle it"

  @KF-R5.claim
  Scenario: After a scheduler dies, the next one waits for its claim to expire and pushes the reminder again
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler dies after the push, before recording it
    When a scheduler runs
    Then "anas-phone" received "bottle it"
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it, bottle it"

  @KF-R5.retry
  Scenario: A reminder stays pending while the push service is unavailable, and is sent afterwards
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    When a scheduler runs
    And the push service is available again
    And a scheduler runs
    Then "anas-phone" received nothing
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-R5.end
  Scenario: A reminder that cannot be pushed for a day is cancelled
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    And a scheduler runs
    When 23 hours pass
    And a scheduler runs
    And 1 hour passes
    And a scheduler runs
    And the push service is available again
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received nothing
    When "ana" lists the reminders of "ginger"
    Then the list is "bottle it cancelled"

  @KF-R5.once
  Scenario: A scheduler skips a reminder that another one is sending
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service responds, another one runs
    Then "anas-phone" received "bottle it"

  @KF-R5.sending
  Scenario: A reminder cannot be cancelled during a slow push
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service responds, "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the response contains "being sent"

  @KF-R5.devices
  Scenario: A device that the push service no longer knows is removed, and the others get the reminder
    Given "ana" has the phone "anas-phone"
    And "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When "ana" lists her devices
    Then the list is "anas-phone"

  @KF-R5.silent
  Scenario: A user with notifications disabled gets none, and the reminder is marked as sent
    Given "ana" has the phone "anas-phone"
    And "ana" saves her profile as {"email": "ana@example.com", "preferences": {"notificationsEnabled": false}}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received nothing
    When "ana" lists the reminders of "ginger"
    Then the list is "bottle it sent"

  @KF-R5.log
  Scenario: Neither the token nor the text of a reminder appears in a log
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it secretly" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    When a scheduler runs
    Then the log has entries, and none contains "secretly"
    And the log has entries, and none contains "ExponentPushToken"
