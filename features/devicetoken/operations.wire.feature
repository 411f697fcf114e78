Feature: The device tokens are operated
  What the document asks of operations: recovery from a mistake, alarms that go off for their reason and no other, and causes of
  a failing registration that whoever is called at night can tell apart.

  @PE-O2 @needs:commands
  Scenario: An accidental bulk delete is undone, item for item
    Given the table is made with its recovery and alarms
    And "ana" has registered 3 phones
    And "bob" has registered "bobs-phone"
    And 2 days pass
    When everything in the table is deleted by mistake
    And "carol" registers "carols-phone"
    And 10 minutes pass
    And the table is restored to the second before the mistake, into "rescued"
    Then "rescued" has every phone as it was before the mistake, and no other
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-O2 @needs:commands
  Scenario: A drill shows what a mistake took, and leaves nothing behind
    Given the table is made with its recovery and alarms
    And "ana" has registered 3 phones
    And what the table holds is recorded
    And 2 days pass
    When everything in the table is deleted by mistake
    And "carol" registers "carols-phone"
    And 10 minutes pass
    And a drill restores the table to the second before the mistake
    Then the drill found 3 items restored, 3 of them gone and 1 new
    And the drill found what was recorded
    And there are the tables "photoeditor-dev-device-tokens, tabletop-jobs" and no other

  @PE-O3 @needs:commands
  Scenario: More than ten bad requests in five minutes raise the alarm on user errors
    Given the table is made with its recovery and alarms
    And 10 minutes pass
    When the table is deleted
    And "ana" tries to register 10 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in OK
    When "ana" tries to register 11 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in ALARM
    And the webhook is told that "photoeditor-dev-user-errors" went from OK to ALARM
    When 1 hour passes
    Then the alarm "photoeditor-dev-user-errors" is in OK

  @PE-O4.raised @PE-O4.retry @needs:commands
  Scenario: One failure of the service's own raises the alarm on system errors, though the registration succeeds
    Given the table is made with its recovery and alarms
    And 10 minutes pass
    When the next PutItem of "photoeditor-dev-device-tokens" fails inside
    And "ana" registers "anas-phone"
    Then the answer is 201
    When 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-put" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-get" is in OK
    And the alarm "photoeditor-dev-user-errors" is in OK
    And the webhook is told that "photoeditor-dev-device-tokens-system-errors-put" went from OK to ALARM

  @PE-O4.raised @needs:commands
  Scenario Outline: The alarm on system errors of a <what> is its own
    Given the table is made with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When the next <operation> of "photoeditor-dev-device-tokens" fails inside
    And "ana" <does> "anas-phone"
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-<what>" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-<other>" is in OK
    And the alarm "photoeditor-dev-user-errors" is in OK

    Examples:
      | what   | operation  | does            | other |
      | get    | GetItem    | looks at        | put   |
      | update | UpdateItem | opens the app on | put  |
      | delete | DeleteItem | deletes         | get   |

  @PE-O4.raised @needs:commands
  Scenario: A failure that the cleanup meets raises the alarm on system errors of a scan
    Given the table is made with its recovery and alarms
    And 10 minutes pass
    When the next Scan of "photoeditor-dev-device-tokens" fails inside
    And the cleanup runs
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-scan" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-query" is in OK

  @PE-O4.raised @needs:commands
  Scenario: The alarm on system errors of a query is its own
    Given the table is made with its recovery and alarms
    And 10 minutes pass
    When the next Query of "photoeditor-dev-device-tokens" fails inside
    And "ana" asks which phones get pushes
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-system-errors-query" is in ALARM
    And the alarm "photoeditor-dev-device-tokens-system-errors-get" is in OK

  @PE-D9 @needs:commands
  Scenario: Launches on known phones that are refreshed raise no alarm on failed conditions
    Given the table is made with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When "ana" opens the app on "anas-phone" 101 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in OK

  @PE-O5 @needs:commands
  Scenario: More than a hundred duplicate registrations in five minutes raise their alarm
    Given the table is made with its recovery and alarms
    And "ana" has registered "anas-phone"
    And 10 minutes pass
    When "ana" registers "anas-phone" again 100 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in OK
    When "ana" registers "anas-phone" again 101 times
    And 5 minutes pass
    Then the alarm "photoeditor-dev-device-tokens-conditional-check-failed" is in ALARM
    And the alarm "photoeditor-dev-user-errors" is in OK
    And the webhook is told that "photoeditor-dev-device-tokens-conditional-check-failed" went from OK to ALARM

  @PE-D2.writes @needs:commands
  Scenario: Throttling is no user error: an alarm of its own tells of it
    Given the table is made with its recovery and alarms
    And 10 minutes pass
    When the next 30 PutItem of "photoeditor-dev-device-tokens" are throttled
    And "ana" tries to register 5 phones
    And 5 minutes pass
    Then the alarm "photoeditor-dev-user-errors" is in OK
    And the alarm "photoeditor-dev-device-tokens-write-throttled" is in ALARM
    And the webhook is told that "photoeditor-dev-device-tokens-write-throttled" went from OK to ALARM

  @PE-O7.permission @needs:commands
  Scenario: A registration fails for want of a permission
    Given a store that asks who may do what, and the service whose policy lacks PutItem
    When "ana" registers "anas-phone"
    Then the answer is 500
    And the store answered the PutItem with AccessDeniedException because "is not authorized to perform: dynamodb:PutItem on resource"
    And the answer does not show "dynamodb:PutItem"

  @PE-O7.table @needs:commands
  Scenario: A registration fails because the table is not there yet
    Given an emulator like the cloud in states
    And the service begins before its table is ready
    When "ana" registers "anas-phone"
    Then the answer is 503
    And the answer says "the tables are missing"
    And the store answered the PutItem with ResourceNotFoundException because "resource not found"
    When 1 minute passes
    And "photoeditor-dev-device-tokens" is ACTIVE
    And "ana" registers "anas-phone"
    Then the answer is 201

  @PE-O7.throttled @needs:commands
  Scenario: A registration fails because the table is throttled
    Given every PutItem of "photoeditor-dev-device-tokens" is throttled
    When "ana" registers "anas-phone"
    Then the answer is 503
    And the answer says "too busy"
    And the store answered the PutItem with ThrottlingException because "Throughput exceeds the current capacity"
    When no request goes wrong any more
    And "ana" registers "anas-phone"
    Then the answer is 201
