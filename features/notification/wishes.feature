Feature: Notification preferences
  Quiet hours, in the user's own time zone, delay pushes; switches turn categories off. Safety and security
  notifications ignore both.

  @NT-P9.read
  Scenario: Preferences are read by the user's id
    When "ana" saves her preferences as {"timezone": "America/Los_Angeles", "categories": {"news": false}}
    Then the request succeeds
    When "ana" looks at her preferences
    Then the response's "timezone" is "America/Los_Angeles"
    And the response's "categories.news" is "false"
    And the response's "categories.social" is "true"

  @NT-P9.whole
  Scenario: Saving preferences replaces them all, with defaults for what is left out
    Given "ana" saves her preferences as {"timezone": "America/Los_Angeles", "categories": {"news": false}}
    When "ana" saves her preferences as {"categories": {"social": false}}
    And "ana" looks at her preferences
    Then the response's "timezone" is "UTC"
    And the response's "categories.news" is "true"
    And the response's "categories.social" is "false"
    And the response's "updatedAt" is "{now in milliseconds}"

  @NT-D1 @NT-R6.default
  Scenario: The default quiet hours are from 22:00 to 07:00, the reverse of the documented sample
    When "ana" looks at her preferences
    Then the response's "quietHours.21" is "false"
    And the response's "quietHours.22" is "true"
    And the response's "quietHours.23" is "true"
    And the response's "quietHours.0" is "true"
    And the response's "quietHours.6" is "true"
    And the response's "quietHours.7" is "false"

  @NT-R6.zone @NT-R6.default
  Scenario Outline: A push at <time> in <zone> <comes>
    Given the clock is moved to <time>
    And "ana" lives in "<zone>"
    And "ana" has the phone "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then "ana" has 1 notification
    And "pixel" received <pushed>

    Examples:
      | time                 | zone                | comes                              | pushed                |
      | 2099-07-01T21:30:00Z | UTC                 | comes at once                      | "bob liked your post" |
      | 2099-07-01T22:30:00Z | UTC                 | waits                              | nothing               |
      | 2099-07-01T06:59:00Z | UTC                 | waits                              | nothing               |
      | 2099-07-01T07:00:00Z | UTC                 | comes at once                      | "bob liked your post" |
      | 2099-07-01T22:30:00Z | America/Los_Angeles | comes in the afternoon             | "bob liked your post" |
      | 2099-07-01T20:30:00Z | Europe/Berlin       | waits, for summer time is there    | nothing               |
      | 2099-12-01T20:30:00Z | Europe/Berlin       | comes, for summer time is over     | "bob liked your post" |
      | 2099-07-01T16:30:00Z | Asia/Kolkata        | waits, half an hour off            | nothing               |

  @NT-R6.waits @NT-R6.entry
  Scenario: A push in quiet hours waits for their end, but the notification appears at once
    Given the clock is moved to 2099-07-01T23:00:00Z
    And "ana" has the phone "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then the event is PROCESSING
    And "ana" has 1 notification
    When 7 hours pass
    And a worker runs
    Then "pixel" received nothing
    When 1 hour passes
    And a worker runs
    Then the event is COMPLETED
    And "pixel" received "bob liked your post"
    And "ana" has 1 notification

  @NT-R6.zone
  Scenario: The hour that daylight saving time skips does not delay a push
    Given the clock is moved to 2099-03-29T00:30:00Z
    And "ana" saves her preferences as {"timezone": "Europe/Berlin", "quietHours": [false,true,true,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false]}
    And "ana" has the phone "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then "pixel" received nothing
    When 30 minutes pass
    And a worker runs
    Then "pixel" received "bob liked your post"

  @NT-R6.zone
  Scenario: Moving the clock forward in the middle of an hour ends that quiet hour
    Given the clock is moved to 2099-09-26T13:45:00Z
    And "ana" saves her preferences as {"timezone": "Pacific/Chatham", "quietHours": [false,false,true,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false,false]}
    And "ana" has the phone "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then "pixel" received nothing
    When 15 minutes pass
    And a worker runs
    Then "pixel" received "bob liked your post"

  @NT-R6.entry
  Scenario: A user with quiet hours around the clock gets notifications without pushes
    Given "ana" saves her preferences as {"quietHours": [true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true,true]}
    And "ana" has the phone "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 1 notification
    And "pixel" received nothing

  @NT-R7.switch
  Scenario Outline: A user who switches <category> off gets no such notifications
    Given "ana" switches <category> off
    And "ana" has the phone "pixel"
    When <type> occurs for "ana" with {"targetId":"p1","targetType":"post"}
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 0 notifications
    And "pixel" received nothing

    Examples:
      | category  | type                |
      | social    | POST_COMMENT        |
      | news      | NEWS_SYSTEM_UPDATE  |
      | marketing | MARKETING_PROMOTION |

  @NT-R7.insistent
  Scenario Outline: <type> is pushed in the middle of the night
    Given the clock is moved to 2099-07-01T02:00:00Z
    And "ana" has the phone "pixel"
    When <type> occurs for "ana"
    And a worker runs
    Then the event is COMPLETED
    And "pixel" received 1 push

    Examples:
      | type                    |
      | SAFETY_ACCOUNT_WARNING  |
      | SECURITY_ACCOUNT_LOCKED |
