Feature: Users have access to their own phones only, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @PE-R4.others
  Scenario Outline: Another user's phone looks like one that does not exist: <request>
    Given "ana" has registered "anas-phone"
    When "bob" sends <method> /devices/no-such-phone<suffix> with <body>
    Then it is not found
    Given that response is remembered
    When "bob" sends <method> /devices/anas-phone<suffix> with <body>
    Then the response is identical to the remembered one
    And the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expoPushToken | '{token of anas-phone}' |
      | isActive      | true                    |
    And table "photoeditor-dev-device-tokens" holds 1 item

    Examples:
      | request   | method | suffix      | body                                         |
      | look      | GET    |             |                                              |
      | refresh   | PUT    |             | {"expoPushToken": "ExponentPushToken[bobs]"} |
      | log out   | POST   | /deactivate |                                              |
      | delete    | DELETE |             |                                              |

  @PE-R4.others @PE-R7.all
  Scenario: Users list and delete only their own phones, on the wire
    Given "ana" has registered "anas-phone"
    When "bob" lists the phones that get pushes
    And "bob" deletes all phones
    Then table "photoeditor-dev-device-tokens" holds 1 item

  @PE-R4.subject
  Scenario Outline: A user id in the <place> is refused
    Given "ana" has registered "anas-phone"
    When "bob" sends <request>
    Then it is refused as a bad request
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | place | request                                                                                                                               | field        |
      | body  | POST /devices with {"userId": "ana", "deviceId": "anas-phone", "expoPushToken": "ExponentPushToken[bobs]", "platform": "ios"}           | body.userId  |
      | query | POST /devices?userId=ana with {"deviceId": "anas-phone", "expoPushToken": "ExponentPushToken[bobs]", "platform": "ios"}                 | query.userId |
      | list  | GET /devices?userId=ana                                                                                                               | query.userId |

  @PE-R4.refused
  Scenario Outline: <what> is refused with <credential>
    Given "ana" has registered "anas-phone"
    When <what> is requested with <credential>
    Then the response is 401
    And the store received no request
    And the response does not contain "anas-phone"

    Examples:
      | what                       | credential                   |
      | a registration             | no token                     |
      | a registration             | an expired token             |
      | a registration             | a forged token               |
      | a registration             | an unsigned token            |
      | a registration             | a token cut short            |
      | a registration             | a token with another payload |
      | a registration             | a token of 9 KB              |
      | a registration             | the operator's token         |
      | a refresh                  | a forged token               |
      | a phone                    | no token                     |
      | a phone                    | an expired token             |
      | the list                   | a forged token               |
      | a deletion                 | an unsigned token            |
      | the deletion of everything | a forged token               |
      | a push                     | no token                     |
      | a push                     | a user's token               |
      | a diagnosis                | a user's token               |
      | a diagnosis                | a forged token               |

  @PE-R4.hidden
  Scenario: No token appears in a log
    Given "ana" has registered "anas-phone"
    And the store loses its table
    When "ana" opens the app on "anas-phone", which has a new token
    Then the response is 503
    And the response does not contain "photoeditor"
    And the log has entries, and none contains "{token of anas-phone}"
    And the log has entries, and none contains "ExponentPushToken"

  @PE-R3.platform @PE-R3.token @PE-R3.phone @PE-R3.fields
  Scenario Outline: A registration whose "<field>" is <value> is refused
    When "ana" registers a phone whose "<field>" is <value>
    Then the response is 400
    And the response names the field "body.<field>"
    And the store received no request

    Examples: platform
      | field    | value     |
      | platform | "windows" |
      | platform | "iOS"     |
      | platform | ""        |
      | platform | 7         |
      | platform | null      |
      | platform | ["ios"]   |
      | platform | missing   |

    Examples: token
      | field         | value                       |
      | expoPushToken | "ExponentPushToken[]"       |
      | expoPushToken | "ExponentPushToken[a"       |
      | expoPushToken | "ExpoPushToken[a]"          |
      | expoPushToken | "ExponentPushToken[a b]"    |
      | expoPushToken | "ExponentPushToken[ä]"      |
      | expoPushToken | "ExponentPushToken[a]\u000a" |
      | expoPushToken | " ExponentPushToken[a]"     |
      | expoPushToken | "ExponentPushToken[129×a]"  |
      | expoPushToken | {"a": "b"}                  |
      | expoPushToken | true                        |
      | expoPushToken | missing                     |

    Examples: phone id
      | field    | value     |
      | deviceId | "a b"     |
      | deviceId | "a/b"     |
      | deviceId | "a#b"     |
      | deviceId | "ä"       |
      | deviceId | "."       |
      | deviceId | ".."      |
      | deviceId | ".hidden" |
      | deviceId | "a\u0000" |
      | deviceId | ""        |
      | deviceId | "129×a"   |
      | deviceId | 7         |
      | deviceId | missing   |

    Examples: fields that cannot be set
      | field        | value                  |
      | registeredAt | "2020-01-01T00:00:00Z" |
      | updatedAt    | "yesterday"            |
      | expiresAt    | 99999999999            |
      | isActive     | false                  |

  @PE-R3.token @PE-R3.phone @PE-R3.fields
  Scenario Outline: An invalid request is refused: <request>
    When "ana" sends <request>
    Then the response is 400
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                                                        | field              |
      | PUT /devices/anas-phone with {"expoPushToken": "x"}                            | body.expoPushToken |
      | PUT /devices/anas-phone with {"expoPushToken": 7}                              | body.expoPushToken |
      | PUT /devices/anas-phone with {}                                                | body.expoPushToken |
      | PUT /devices/anas-phone with {"expoPushToken": "ExponentPushToken[a]", "a": 1} | body.a             |
      | PUT /devices/a%20b with {"expoPushToken": "ExponentPushToken[a]"}              | path.deviceId      |
      | GET /devices/129×a                                                             | path.deviceId      |
      | GET /devices/%00                                                               | path.deviceId      |
      | POST /devices/a%23b/deactivate                                                 | path.deviceId      |
      | DELETE /devices/a%2Fb                                                          | path.deviceId      |
      | POST /devices with {"deviceId":                                                | body               |
      | POST /devices with []                                                          | body               |
      | POST /devices with null                                                        | body               |

  @PE-R3.push
  Scenario Outline: An invalid request of the operator is refused: <request>
    When the operator sends <request>
    Then the response is 400
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | request                                                               | field         |
      | POST /users/ana/push with {"title": "", "body": "b"}                  | body.title    |
      | POST /users/ana/push with {"title": "201×a", "body": "b"}             | body.title    |
      | POST /users/ana/push with {"body": "b"}                               | body.title    |
      | POST /users/ana/push with {"title": "a", "body": "2001×b"}            | body.body     |
      | POST /users/ana/push with {"title": "a", "body": 7}                   | body.body     |
      | POST /users/ana/push with {"title": "a", "body": "b", "data": "x"}    | body.data     |
      | POST /users/ana/push with {"title": "a", "body": "b", "data": {"x": 1}} | body.data.x |
      | POST /users/ana/push with {"title": "a", "body": "b", "to": "x"}      | body.to       |
      | POST /users/a%20b/push with {"title": "a", "body": "b"}               | path.userId   |
      | GET /users/a%23b/diagnosis                                            | path.userId   |
      | GET /users/256×a/diagnosis                                            | path.userId   |
