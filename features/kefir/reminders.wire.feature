Feature: Brewers are reminded, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P8
  Scenario: A batch's reminders, whatever has become of them, on the wire
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And "ana" has set the reminder "buy sugar" on "ginger" in 3 hours
    And "ana" cancels the reminder "buy sugar" on "ginger"
    When "ana" lists the reminders of "ginger"
    Then the store was asked for a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'REMINDER#')"

  @KF-P9.range @KF-P9.order @KF-D2
  Scenario: What is coming up in the next 7 days, the next one first, on the wire
    Given "ana" has started the batch "figs"
    And "ana" has set the reminder "in a week and a day" on "ginger" in 8 days
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    And "ana" has set the reminder "soon" on "figs" in 2 hours
    When "ana" asks what is coming up
    Then the store was asked for a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND GSI1SK BETWEEN 'DUE#{now}' AND 'DUE#{7 days on}'", filtered by "status = 'pending'"

  @KF-D2
  Scenario: Upcoming reminders as the document's list of patterns has it is refused by the store, for a key takes one condition
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When the store is asked for a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND begins_with(GSI1SK, 'DUE#') AND GSI1SK > 'DUE#{now}'"
    Then the store refuses it with ValidationException
    When "ana" asks what is coming up
    Then the list is "bottle it pending"

  @KF-P10.cost @KF-D3
  Scenario: Due reminders of all users as the document's list of patterns has it is refused by the store, for it names no partition
    When the store is asked for a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1SK < 'DUE#{now}'"
    Then the store refuses it with ValidationException

  @KF-P10.cost @KF-D3
  Scenario: What is due is found by the documented scan, and at less cost by an index of hours
    Given "bob" has started 60 batches
    And "ana" has set 3 reminders on "ginger", a minute apart
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    When 2 hours pass
    And the operator asks what is due by scan
    Then the answer's "count" is "3"
    And the store was asked for 4 times Scan of index "GSI1" of "kefir-app-dev-table", filtered by "GSI1SK <= 'DUE#{now}' AND status = 'pending'"
    When a scheduler runs
    And "ana" has set 3 reminders on "ginger", a minute apart
    And 1 hour passes
    And the operator asks what is due by scan
    Then the answer's "count" is "3"
    When the operator asks what is due by index
    Then the answer's "count" is "3"
    And the store was never asked for a Scan
    And the scan read at least 2 times the units of the index

  @KF-P10.hours @KF-D3
  Scenario: A scheduler reads the hours since its last run, and no more
    Given "ana" has set the reminder "bottle it" on "ginger" in 1 hour
    And a scheduler runs
    When 2 hours pass
    And a scheduler runs
    Then the store was never asked for a Scan
    And the store was asked for 4 times Query of index "GSI3" of "kefir-app-dev-table"
    And the index "GSI3" has no entries

  @KF-P10.first
  Scenario: After the first run of all the table is not scanned again, though a reminder could not be pushed
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    When a scheduler runs
    Then the store was asked for 4 times Scan of index "GSI1" of "kefir-app-dev-table"
    When 3 hours pass
    And a scheduler runs
    Then the store was never asked for a Scan
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When the push service is back
    And 6 minutes pass
    And a scheduler runs
    Then the store was never asked for a Scan

  @KF-P10.first
  Scenario: A reminder from before the index of hours is found by a scan until it is sent
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And everything is as a program of version 1.0.0 wrote it
    And 2 hours pass
    And the push service is away
    And a scheduler runs
    When the push service is back
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When 1 minute passes
    And a scheduler runs
    Then the store was never asked for a Scan

  @KF-P10.pages
  Scenario: Nothing that is due is missed over many pages, neither by the scan nor by the index
    Given "ana" has the phone "anas-phone"
    And "ana" has set 5 reminders on "ginger", a minute apart
    And the store gives pages of 2 items
    And 10 minutes pass
    When a scheduler runs
    Then "anas-phone" received 5 reminders, each once
    And the index "GSI3" has no entries
    Given "ana" has set 5 reminders on "ginger", a minute apart
    When 10 minutes pass
    And a scheduler runs
    Then the store was never asked for a Scan
    And the index "GSI3" has no entries

  @KF-D5 @KF-P9.pending
  Scenario: A reminder that has ended is not coming up, though the document leaves it in the index
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 days
    And "ana" has a cancelled reminder "buy sugar" on "ginger" in 3 days, as the document has it
    When the store is asked for a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND GSI1SK BETWEEN 'DUE#{now}' AND 'DUE#{due buy sugar}'"
    Then 2 items are found
    When "ana" asks what is coming up
    Then the list is "bottle it pending"

  @KF-D5
  Scenario: A reminder that the service ends leaves the indexes
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 days
    And the index "GSI3" has 1 entry
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the item of "bottle it" on "ginger" has no "GSI1PK"
    And the item of "bottle it" on "ginger" has no "GSI1SK"
    And the item of "bottle it" on "ginger" has no "GSI3PK"

  @KF-R5.pushed
  Scenario: A reminder that falls due is pushed to every phone of the user and noted as sent, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has the phone "anas-tablet"
    And "bob" has the phone "bobs-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When a scheduler runs
    And 2 hours pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.once
  Scenario: Many schedulers that run at once send each reminder once, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set 20 reminders on "ginger", a minute apart
    When 2 hours pass
    And 6 schedulers run at once
    Then the index "GSI3" has no entries

  @KF-R5.cancelled
  Scenario: A cancelled reminder is never sent, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the store was asked for an UpdateItem of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'", only if "status = 'pending' AND (attribute_not_exists(claimedUntil) OR claimedUntil < '{now}')"

  @KF-R5.sending
  Scenario: A reminder that is being sent cannot be cancelled, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" cancels the reminder "bottle it" on "ginger"
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent' |

  @KF-R5.claim
  Scenario: After a scheduler that died the next one waits for its claim to end, pushes again, and the reminder is sent once, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler dies between push and note
    When a scheduler runs
    And 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |
    And the item of "bottle it" on "ginger" has no "claim"

  @KF-R5.retry
  Scenario: While the push service is away a reminder stays pending, and is sent when it is back, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    When a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When the push service is back
    And a scheduler runs
    And 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.end
  Scenario: A reminder that cannot be pushed for a day is given up, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is away
    And a scheduler runs
    When 23 hours pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When 1 hour passes
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status      | 'cancelled' |
      | cancelledAt | '{now}'     |

  @KF-R5.once
  Scenario: While one scheduler is sending a reminder another one leaves it alone, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service has answered, another one runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.claim
  Scenario: A scheduler that was too slow leaves the reminder to the one that has claimed it since
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 6 minutes later, before the push service has answered, another one dies between push and note
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the answer is 409
    When 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.devices
  Scenario: A device that the push service does not know any more is removed, and the others get the reminder, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then there is no item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#old-phone'"

  @KF-R5.devices
  Scenario: A device that registers anew while the push service refuses its old token stays
    Given "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" registers the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[new]"}
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#old-phone'" has:
      | pushToken | 'ExponentPushToken[new]' |

  @KF-R5.silent
  Scenario: A user who wants no notifications gets none, and the reminder is noted as sent, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" puts her profile as {"email": "ana@example.com", "preferences": {"notificationsEnabled": false}}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent' |

  @KF-D8
  Scenario: A reminder has no schedule of its own, and one that another program made is shown
    Given "ana" has started the batch "ginger"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    Then the item of "bottle it" on "ginger" has no "schedulerArn"
    When the store is asked for an UpdateItem of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'", setting "SET schedulerArn = 'arn:aws:scheduler:::schedule/default/bottle'"
    And "ana" lists the reminders of "ginger"
    Then the answer's "reminders.0.schedulerArn" is "arn:aws:scheduler:::schedule/default/bottle"
