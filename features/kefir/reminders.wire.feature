Feature: Brewers get reminders, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-P8
  Scenario: A user lists a batch's reminders of any status, on the wire
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And "ana" has set the reminder "buy sugar" on "ginger" in 3 hours
    And "ana" cancels the reminder "buy sugar" on "ginger"
    When "ana" lists the reminders of "ginger"
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND begins_with(SK, 'REMINDER#')"

  @KF-P9.range @KF-P9.order @KF-D2
  Scenario: A user lists the reminders of the next 7 days, earliest first, on the wire
    Given "ana" has started the batch "figs"
    And "ana" has set the reminder "in a week and a day" on "ginger" in 8 days
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    And "ana" has set the reminder "soon" on "figs" in 2 hours
    When "ana" lists the upcoming reminders
    Then the store received a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND GSI1SK BETWEEN 'DUE#{now}' AND 'DUE#{7 days on}'", filtered by "status = 'pending'"

  @KF-D2
  Scenario: The documented query of upcoming reminders is refused, because a sort key takes one condition
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When a client sends a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND begins_with(GSI1SK, 'DUE#') AND GSI1SK > 'DUE#{now}'"
    Then the store refuses it with ValidationException
    When "ana" lists the upcoming reminders
    Then the list is "bottle it pending"

  @KF-P10.cost @KF-D3
  Scenario: The documented query of all due reminders is refused, because it names no partition
    When a client sends a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1SK < 'DUE#{now}'"
    Then the store refuses it with ValidationException

  @KF-P10.cost @KF-D3
  Scenario: Due reminders are found by the documented scan, and at lower cost by an index of hours
    Given "bob" has started 60 batches
    And "ana" has set 3 reminders on "ginger", a minute apart
    And "ana" has set the reminder "tomorrow" on "ginger" in 1 day
    When 2 hours pass
    And the operator lists the due reminders by scan
    Then the response's "count" is "3"
    And the store received 4 requests: Scan of index "GSI1" of "kefir-app-dev-table", filtered by "GSI1SK <= 'DUE#{now}' AND status = 'pending'"
    When a scheduler runs
    And "ana" has set 3 reminders on "ginger", a minute apart
    And 1 hour passes
    And the operator lists the due reminders by scan
    Then the response's "count" is "3"
    When the operator lists the due reminders by index
    Then the response's "count" is "3"
    And the store received no Scan
    And the scan consumed at least 2 times the units of the index

  @KF-P10.hours @KF-D3
  Scenario: A scheduler reads only the hours since its last run
    Given "ana" has set the reminder "bottle it" on "ginger" in 1 hour
    And a scheduler runs
    When 2 hours pass
    And a scheduler runs
    Then the store received no Scan
    And the store received 4 requests: Query of index "GSI3" of "kefir-app-dev-table"
    And the index "GSI3" has no entries

  @KF-P10.first
  Scenario: Only the very first run scans the table, even if a reminder could not be pushed
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    When a scheduler runs
    Then the store received 4 requests: Scan of index "GSI1" of "kefir-app-dev-table"
    When 3 hours pass
    And a scheduler runs
    Then the store received no Scan
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When the push service is available again
    And 6 minutes pass
    And a scheduler runs
    Then the store received no Scan

  @KF-P10.first
  Scenario: A reminder from before the index of hours is found by a scan until it is sent
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And all data is as a program of version 1.0.0 wrote it
    And 2 hours pass
    And the push service is unavailable
    And a scheduler runs
    When the push service is available again
    And 6 minutes pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"
    When 1 minute passes
    And a scheduler runs
    Then the store received no Scan

  @KF-R5.pushed
  Scenario: A reminder from before the index of hours that becomes due after the first run is sent
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And all data is as a program of version 1.0.0 wrote it
    And a scheduler runs
    When 2 hours pass
    And a scheduler runs
    Then "anas-phone" received "bottle it"

  @KF-P10.pages
  Scenario: No due reminder is missed across many pages, by scan or by index
    Given "ana" has the phone "anas-phone"
    And "ana" has set 5 reminders on "ginger", a minute apart
    And the store returns pages of 2 items
    And 10 minutes pass
    When a scheduler runs
    Then "anas-phone" received 5 reminders, each once
    And the index "GSI3" has no entries
    Given "ana" has set 5 reminders on "ginger", a minute apart
    When 10 minutes pass
    And a scheduler runs
    Then the store received no Scan
    And the index "GSI3" has no entries

  @KF-D5 @KF-P9.pending
  Scenario: A cancelled reminder is not upcoming, although the document leaves it in the index
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 days
    And "ana" has a cancelled reminder "buy sugar" on "ginger" in 3 days, as documented
    When a client sends a Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'USER#ana' AND GSI1SK BETWEEN 'DUE#{now}' AND 'DUE#{due buy sugar}'"
    Then 2 items are found
    When "ana" lists the upcoming reminders
    Then the list is "bottle it pending"

  @KF-D5
  Scenario: A reminder that the service ends is removed from the indexes
    Given "ana" has set the reminder "bottle it" on "ginger" in 2 days
    And the index "GSI3" has 1 entry
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the item of "bottle it" on "ginger" has no "GSI1PK"
    And the item of "bottle it" on "ginger" has no "GSI1SK"
    And the item of "bottle it" on "ginger" has no "GSI3PK"

  @KF-R5.pushed
  Scenario: A due reminder is pushed to all phones of the user and marked as sent, on the wire
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
  Scenario: Many simultaneous schedulers send each reminder once, on the wire
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
    Then the store received an UpdateItem of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'", only if "status = 'pending' AND (attribute_not_exists(claim) OR claimedUntil < '{now}')"

  @KF-R5.sending
  Scenario: A reminder that is being sent cannot be cancelled, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" cancels the reminder "bottle it" on "ginger"
    Then it is refused as a conflict
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent' |

  @KF-R5.claim
  Scenario: After a scheduler dies, the next one waits for its claim to expire and pushes the reminder again, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And a scheduler dies after the push, before recording it
    When a scheduler runs
    And 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |
    And the item of "bottle it" on "ginger" has no "claim"

  @KF-R5.retry
  Scenario: A reminder stays pending while the push service is unavailable, and is sent afterwards, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    When a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When the push service is available again
    And a scheduler runs
    And 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.retry
  Scenario: A reminder that waits for the next attempt can be cancelled
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
    And a scheduler runs
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the response is 200
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'cancelled' |

  @KF-R5.end
  Scenario: A reminder that cannot be pushed for a day is cancelled, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    And the push service is unavailable
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
  Scenario: A scheduler skips a reminder that another one is sending, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 4 minutes later, before the push service responds, another one runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.claim
  Scenario: A scheduler that was too slow leaves the reminder to the one that claimed it later
    Given "ana" has the phone "anas-phone"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs, and 6 minutes later, before the push service responds, another one dies after the push, before recording it
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'pending' |
    When "ana" cancels the reminder "bottle it" on "ginger"
    Then the response is 409
    When 6 minutes pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent'  |
      | sentAt | '{now}' |

  @KF-R5.devices
  Scenario: A device that the push service no longer knows is removed, and the others get the reminder, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then there is no item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#old-phone'"

  @KF-R5.devices
  Scenario: A device that registers a new token while its old one is rejected is kept
    Given "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" registers the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[new]"}
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#old-phone'" has:
      | pushToken | 'ExponentPushToken[new]' |

  @KF-R5.devices
  Scenario: A device that registers again with the same token while the token is rejected is kept
    Given "ana" has registered the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    And 2 hours pass
    When a scheduler runs while "ana" registers the device "old-phone" as {"platform": "ios", "pushToken": "ExponentPushToken[gone]"}
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'DEVICE#old-phone'" has:
      | pushToken | 'ExponentPushToken[gone]' |

  @KF-R5.silent
  Scenario: A user with notifications disabled gets none, and the reminder is marked as sent, on the wire
    Given "ana" has the phone "anas-phone"
    And "ana" saves her profile as {"email": "ana@example.com", "preferences": {"notificationsEnabled": false}}
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    When 2 hours pass
    And a scheduler runs
    Then the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'" has:
      | status | 'sent' |

  @KF-D8
  Scenario: A reminder has no schedule of its own, and one set by another program is shown
    Given "ana" has started the batch "ginger"
    And "ana" has set the reminder "bottle it" on "ginger" in 2 hours
    Then the item of "bottle it" on "ginger" has no "schedulerArn"
    When a client sends an UpdateItem of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottle it}'", setting "SET schedulerArn = 'arn:aws:scheduler:::schedule/default/bottle'"
    And "ana" lists the reminders of "ginger"
    Then the response's "reminders.0.schedulerArn" is "arn:aws:scheduler:::schedule/default/bottle"
