import AppCoordination
import CoachAccount
import CoachExchange
import CoachStore
import KodamaEvidence
import KodamaPhone
import KodamaSession
import KodamaWorld
import ReplicaStore
import SansIO

/// What a phone has of a user whose store is not open, in files and in secure storage.
struct UserFiles {
    /// The user, by the name that the app has ordered the store under.
    let user: String
    /// The numbers of the reports that this phone has kept of theirs.
    var kept: [Int64] = []
    /// The store's file, as the process before left it.
    var image: [UInt8]?
    /// The cloned voice, under the store's name.
    var vault = VoiceVault()
}

// Who is signed in, and whose store is open (AN-08, AN-09): another user of the phone has another one.

extension CoachApp {
    /// Whether the phone's owner is signed in, or was last: StoreKit and the mirror are theirs.
    var isOwnersTurn: Bool { account.ledger === account.first }

    /// The session begins, or begins anew; by assumption the user signs in where the app shows that they must.
    func signIn(on stage: inout Stage) {
        guard let user = account.user, let token = api.signIn(user, at: stage.now) else { return }
        account.session = token
        tellAccount(.signedIn(session: token), on: &stage)
    }

    /// The user opens the app to sign in or out.
    func opensToSign(_ act: CoachAct, on stage: inout Stage) {
        guard isPowered, hasAccount else { return }
        account.acts.append(act)
        opensForAWhile(on: &stage)
        schedule(.signs, after: .seconds(5), on: &stage)
    }

    /// The user signs in or out; signing in needs a server that answers.
    func signs(on stage: inout Stage) {
        guard !account.acts.isEmpty else { return }
        let act = account.acts.removeFirst()
        guard phase == .running, let own = plan.account else { return }
        switch act {
        case .signIn(let isGuest):
            guard api.isServing, isReachable(on: stage) else { return }
            let user = isGuest ? "\(own)-guest" : own
            account.user = user
            account.ledger = ledgers.ledger(of: user)
            noteActed(isGuest ? .signInToCoachAsGuest : .signInToCoach, on: &stage)
            signIn(on: &stage)
        case .signOut:
            (account.user, account.session) = (nil, nil)
            noteActed(.signOutOfCoach, on: &stage)
            tellAccount(.signedOut, on: &stage)
        default: preconditionFailure("\(act) is no sign-in")
        }
    }

    /// Writes down what the user does; where the phone has several apps, also in which.
    private func noteActed(_ act: UserAct, on stage: inout Stage) {
        let subject: ComponentIndex = phone.apps.count > 1 ? index : .none
        stage.note(UserActed(action: act), of: phone.index, about: subject)
    }

    /// The binding of the order to open the store of another user: this one's stays as it is.
    func openStore(of user: String, on stage: inout Stage) {
        for call in calls where call.request is CoachCall { endCall(call.operation) }
        endMirroring(on: &stage)
        closeFirstSteps(on: &stage)
        closeAccount()
        let index = account.others.firstIndex { $0.user.utf8.elementsEqual(user.utf8) }
        var files = index.map { account.others.remove(at: $0) } ?? UserFiles(user: user)
        // What storage is still to answer is the former user's.
        files.vault.answerCount = vault.answerCount
        account.others.append(
            UserFiles(
                user: account.storeUser,
                kept: account.kept,
                image: account.image,
                vault: vault
            )
        )
        (account.storeUser, account.kept, account.image) = (user, files.kept, files.image)
        vault = files.vault
        openAccount(on: &stage)
        tellOfAccount(on: &stage)
        guard look.isKnown else { return }
        coordinator?.tell(.cloneChanged(isAvailable: hasClone ?? false), on: &stage)
        resumeSelfTalk(on: &stage)
        reviewMirroring(on: &stage)
    }

    /// What the other users of the phone have bought, by their stores.
    var othersTransactions: [SignedSubscription] {
        account.others.compactMap { files in
            guard let image = files.image else { return nil }
            let opening = stored { try CoachStore.open(.image(image), newDevice: "look") }
            return stored { try opening.store.entitlement() }.subscription
        }
    }
}

/// What the world knows of all accounts, in the order of their numbers.
final class AccountLedgers {
    private(set) var all: [AccountLedger] = []

    /// The ledger of a user, by the bytes of their name, which gets the next number if it is new.
    func ledger(of user: String) -> AccountLedger {
        if let known = all.first(where: { $0.user.utf8.elementsEqual(user.utf8) }) { return known }
        let ledger = AccountLedger(Int64(all.count + 1), of: user)
        all.append(ledger)
        return ledger
    }
}

extension UserAct {
    static let signInToCoach = UserAct(
        "sign-in-to-coach",
        number: 72,
        "signs in to {app}",
        takesSound: false
    )
    static let signInToCoachAsGuest = UserAct(
        "sign-in-to-coach-as-guest",
        number: 73,
        "signs in to {app} as somebody else",
        takesSound: false
    )
    static let signOutOfCoach = UserAct(
        "sign-out-of-coach",
        number: 74,
        "signs out of {app}",
        takesSound: false
    )

    /// What users do in an app that has a coach.
    static let coach: [UserAct] = [.signInToCoach, .signInToCoachAsGuest, .signOutOfCoach]
}
