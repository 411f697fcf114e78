Feature: The emulator is commanded over HTTP
  Whoever sits at the desk can look at the emulator and command it below /_tabletop/. Nobody else can: not from another
  machine, and not by a page in the browser of who sits there.

  @SV-O3.snapshots @needs:commands
  Scenario: The state is kept and brought back
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "state": "new"} is put into "orders"
    When POST /_tabletop/snapshots is sent with {"id": "before"}
    Then the emulator answers 201
    When the item {"id": "7", "state": "paid"} is put into "orders"
    And POST /_tabletop/snapshots/before/restore is sent
    Then the emulator answers 204
    When the item {"id": "7"} of "orders" is read
    Then it is {"id": "7", "state": "new"}

  @SV-O3.reset @needs:commands
  Scenario: Everything is dropped
    Given an emulator
    And a table "orders" with the key "id"
    When POST /_tabletop/reset is sent
    Then the emulator answers 204
    When the item {"id": "7"} of "orders" is read
    Then it is refused with ResourceNotFoundException

  @SV-O3.described @needs:commands
  Scenario: It says what runs, and how it is commanded
    Given an emulator like the cloud in lag
    When GET /_tabletop/info is sent
    Then the emulator answers 200 and says "like the cloud: lag"
    When GET /_tabletop/openapi.json is sent
    Then the emulator answers 200 and says "/_tabletop/clock/advance"
    When GET /_tabletop/docs is sent
    Then the emulator answers 200 and says "curl"

  @SV-O3.errors @needs:commands
  Scenario: What is wrong with a command is said
    Given an emulator
    When POST /_tabletop/clock/advance is sent with {"duration": "a while"}
    Then the emulator answers 422 and says "write it as 24h"
    When POST /_tabletop/clock/rewind is sent
    Then the emulator answers 404 and says "/_tabletop/docs"

  @SV-O4.origin @needs:commands
  Scenario Outline: A page of another origin is refused: <request>, <header>
    Given an emulator
    When <request> is sent with the header "<header>"
    Then the emulator answers 403 and says "another origin"

    Examples:
      | request                      | header                        |
      | POST /_tabletop/reset        | Origin: https://evil.example  |
      | POST /_tabletop/reset        | Origin: http://127.0.0.1:1    |
      | POST /_tabletop/reset        | Origin: null                  |
      | GET /_tabletop/info          | Sec-Fetch-Site: cross-site    |
      | GET /_tabletop/docs          | Sec-Fetch-Site: same-site     |
      | GET /metrics                 | Origin: https://evil.example  |

  @SV-O4.name @needs:commands
  Scenario: A page that made its own name lead here is refused
    Given an emulator
    When GET /_tabletop/info is sent with the header "Host: evil.example"
    Then the emulator answers 403 and says "evil.example"
    When GET /metrics is sent with the header "Host: evil.example"
    Then the emulator answers 403 and says "evil.example"

  @SV-O4.form @needs:commands
  Scenario: A form of a page cannot command it
    Given an emulator
    And a table "orders" with the key "id"
    When POST /_tabletop/reset is sent with the header "Content-Type: text/plain"
    Then the emulator answers 415 and says "application/json"
    When the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-O5.closed @SV-O5.open @needs:commands
  Scenario: From other machines it is commanded only if it was started so
    Given an emulator that other machines reach
    When GET /_tabletop/info is sent
    Then the emulator answers 403 and says "--admin"
    Given an emulator that other machines reach and may command as "desk.example"
    When GET /_tabletop/info is sent with the header "Host: desk.example"
    Then the emulator answers 200
    When GET /_tabletop/info is sent with the header "Host: evil.example"
    Then the emulator answers 403 and says "evil.example"
