import KodamaCommand
import PingSystem

await Kodama.main(systems: [.ping])
