import Testing

@Suite("Replicas are told as what they were (HN-06)")
struct ReplicaNarratorTests {
    private static let components = "ada-phone,ada-phone.replica,database"

    @Test("A write is told when the primary takes it, with what came before, and when it does not")
    func writes() throws {
        let told = try Told.lines(
            Self.components,
            """
            1000 ada-phone.replica replica.opened - opening=made unsent=0 database=0
            2000 ada-phone.replica replica.written - write=1
            3000 ada-phone.replica replica.written - write=2
            3500 ada-phone.replica replica.written - write=3
            4000 database primary.took ada-phone.replica write=1 position=1 database=0
            4500 database primary.took - write=7 position=2 database=0
            5000 database primary.rolled-back ada-phone.replica through=0 database=0
            6000 database primary.took ada-phone.replica write=1 position=1 database=0
            6500 database primary.took ada-phone.replica write=1 position=2 database=0
            9000 ada-phone.replica replica.kept - write=2
            9000 - run.ended -
            """
        )
        #expect(
            told == [
                "The app makes its file.",
                "2 s after it was made: the primary takes write 1 of ada-phone.",
                "The primary takes write 7 of the web.",
                "The primary fails and loses what came after position 0, "
                    + "1 write of phones among it.",
                "4 s after it was made: the primary takes write 1 of ada-phone.",
                "4.5 s after it was made: the primary takes write 1 of ada-phone once more.",
                "The run ends.",
                "6 s after it was made: write 2 still waits in the file for the primary.",
                "5.5 s after it was made: write 3 is neither at the primary nor in the file.",
            ]
        )
    }

    @Test("Writes that come together, and those that do not come, are told in one sentence each")
    func together() throws {
        let told = try Told.lines(
            Self.components,
            """
            1000 ada-phone.replica replica.written - write=1
            1500 ada-phone.replica replica.written - write=2
            2000 ada-phone.replica replica.written - write=3
            3000 database primary.took ada-phone.replica write=1 position=1 database=0
            3000 database primary.took ada-phone.replica write=2 position=2 database=0
            3000 database primary.took ada-phone.replica write=3 position=3 database=0
            3000 database primary.took ada-phone.replica write=3 position=4 database=0
            4000 ada-phone.replica replica.written - write=4
            4500 ada-phone.replica replica.written - write=5
            5000 ada-phone.replica replica.damage-told - saved=0 complete=0
            6000 ada-phone.replica replica.damage-told - saved=2 complete=1
            7000 ada-phone.replica replica.written - write=6
            7500 ada-phone.replica replica.written - write=7
            9000 ada-phone.replica replica.kept - write=6
            9000 ada-phone.replica replica.kept - write=7
            9000 - run.ended -
            """
        )
        #expect(
            told == [
                "2 s after it was made: the primary takes write 1 of ada-phone and 2 more.",
                "1 s after it was made: the primary takes write 3 of ada-phone once more.",
                "The app says that its file was damaged, that it saved nothing "
                    + "and that changes may be lost.",
                "The app says that its file was damaged and that it saved the 2 changes in it.",
                "The run ends.",
                "5 s after it was made: write 4 and 1 more went with the damaged file, "
                    + "as the app said.",
                "2 s after it was made: write 6 and 1 more still wait in the file for the primary.",
            ]
        )
    }

    @Test("Rows that differ for longer than an exchange takes are told when they are the same")
    func sides() throws {
        let told = try Told.lines(
            Self.components,
            """
            1000 ada-phone.replica replica.sides - equal=0
            1500 ada-phone.replica replica.sides - equal=1
            2000 ada-phone.replica replica.sides - equal=0
            2500 ada-phone.replica replica.status-shown - status=offline
            3000 ada-phone.replica replica.status-shown - status=syncing
            6000 ada-phone.replica replica.sides - equal=1
            6000 ada-phone.replica replica.status-shown - status=synced
            6500 ada-phone.replica replica.status-shown - status=syncing
            7000 ada-phone.replica replica.status-shown - status=synced
            """
        )
        #expect(
            told == [
                "The app shows that there is no network.",
                "4 s after their rows became different: "
                    + "the app and the primary have the same rows.",
                "The app shows that it is up to date.",
            ]
        )
    }

    @Test("A damaged file is told, what its app says of it, and what failed in it")
    func files() throws {
        let told = try Told.lines(
            Self.components,
            """
            1000 ada-phone.replica replica.file-damaged - unsent=1
            2000 ada-phone.replica replica.opened - opening=rebuilt unsent=0 database=0
            2000 ada-phone.replica replica.damage-told - saved=0 complete=0
            3000 ada-phone.replica replica.read - rows=2 served=1
            4000 ada-phone.replica replica.read - rows=0 served=0
            5000 ada-phone.replica replica.unwritten - write=4
            6000 ada-phone.replica replica.schema-seen - version=2 whole=0
            7000 ada-phone.replica replica.opened - opening=opened unsent=2 database=0
            8000 database primary.migrated ada-phone.replica version=2 database=0
            """
        )
        #expect(
            told == [
                "The file of the app is damaged, "
                    + "with 1 change in it that the primary does not have.",
                "The app sets its damaged file aside and makes another.",
                "The app says that its file was damaged, that it saved nothing "
                    + "and that changes may be lost.",
                "The app shows no rows.",
                "The app tells the user that write 4 failed.",
                "The file of the app has part of a version of the schema.",
                "The app opens its file, with 2 changes for the primary in it.",
                "The primary is at version 2 of the schema.",
            ]
        )
    }

    @Test("What the user of an app with a replica does is told")
    func users() throws {
        let told = try Told.lines(
            Self.components,
            """
            1000 ada-phone user.acted ada-phone.replica action=sync-replica
            2000 ada-phone user.acted ada-phone.replica action=sign-out-of-replica
            """
        )
        #expect(
            told == [
                "The user asks the app for the latest rows.",
                "The user signs out of the app.",
            ]
        )
    }
}
