"""Invented noises of being outdoors: moving air, and whatever strikes whatever.

Like those of noises.py, each is a function of a random generator and a number of samples.
"""

import numpy as np

from sound import band, place, ring, shaped, slow, uniform_log
from speech import RATE


def wind(random, count):
    corner = uniform_log(random, 30, 150)
    slope = random.uniform(3, 7)
    rumble = shaped(random, count, lambda f: -slope * np.log2(1 + (f / corner) ** 2))
    corner_2 = uniform_log(random, 150, 700)
    buffet = shaped(random, count, lambda f: -5 * np.log2(1 + (f / corner_2) ** 2) - 9 * np.maximum(0, np.log2(90 / f)))
    gust = 10 ** (random.uniform(3, 10) * slow(random, count, uniform_log(random, 0.2, 1.5)) / 20)
    burst = np.maximum(0, slow(random, count, uniform_log(random, 2, 12)) - random.uniform(0, 1)) ** 1.5
    hiss_part = shaped(random, count, lambda f: -3 * np.log2(f / 500))
    sound = rumble / rumble.std() * gust + random.uniform(0.1, 1.5) * buffet / buffet.std() * burst * gust
    return sound + 0.02 * random.random() * hiss_part / hiss_part.std() * gust**2


def gusts(random, count):
    """Air of a wandering speed over an edge: the faster, the louder and, as a rule, the brighter.

    One to three layers of noise follow powers of the speed, each its own, and eddies strike the edge.
    """
    swing, flutter = random.uniform(0.1, 0.5), random.uniform(0, 0.35)
    speed = np.exp(
        swing * slow(random, count, uniform_log(random, 0.06, 0.6))
        + flutter * slow(random, count, uniform_log(random, 0.6, 6))
    )
    sound = np.zeros(count)
    corner = uniform_log(random, 25, 250)
    for _ in range(random.integers(1, 4)):
        slope, least = random.uniform(2, 9), uniform_log(random, 10, 150)
        layer = shaped(
            random, count,
            lambda f: -slope * np.log2(1 + (f / corner) ** 2) - 9 * np.maximum(0, np.log2(least / f)),
        )
        sound += uniform_log(random, 0.1, 1) * layer / layer.std() * speed ** random.uniform(1, 5)
        corner *= uniform_log(random, 1, 8)
    if random.random() < 0.85:
        blows = eddies(random, count, speed)
        sound += uniform_log(random, 0.3, 8) * sound.std() * blows
    return sound


def eddies(random, count, speed):
    """Blows of air: each with a colour, a beginning soft or sudden, and an end; the stronger ones in gusts."""
    sound = np.zeros(count)
    least = uniform_log(random, 30, 200)
    most = least * uniform_log(random, 1.5, 12)
    width = uniform_log(random, 1.3, 4)
    attack, decay = uniform_log(random, 0.001, 0.06), uniform_log(random, 0.012, 0.12)
    power, spread = random.uniform(1, 4), random.uniform(0.2, 1)
    for start in random.integers(0, count, random.poisson(uniform_log(random, 0.3, 12) * count / RATE)):
        rise, fall = attack * random.uniform(0.5, 2), decay * random.uniform(0.5, 2)
        time = np.arange(int(5 * (rise + fall) * RATE)) / RATE
        centre = uniform_log(random, least, most)
        piece = band(random, random.standard_normal(len(time)), centre / width, centre * width)
        strength = speed[start] ** power * np.exp(spread * random.standard_normal())
        place(sound, start, strength / (piece.std() + 1e-9) * piece * (1 - np.exp(-time / rise)) * np.exp(-time / fall))
    return sound


def thud(random):
    """A heel, a fist, a door: a short, dull burst."""
    decay, centre = uniform_log(random, 0.008, 0.07), uniform_log(random, 50, 500)
    count = int(6 * decay * RATE)
    piece = band(random, random.standard_normal(count), centre / 1.6, centre * 1.6)
    return piece / (piece.std() + 1e-9) * np.exp(-np.arange(count) / RATE / decay)


def slap(random):
    """A burst of all colours: a palm, a board, a sole."""
    decay, low = uniform_log(random, 0.003, 0.04), uniform_log(random, 80, 1500)
    count = int(6 * decay * RATE)
    piece = band(random, random.standard_normal(count), low, low * uniform_log(random, 3, 40))
    return piece / (piece.std() + 1e-9) * np.exp(-np.arange(count) / RATE / decay)


def clink(random):
    """A pole's tip, a pan, a carabiner: one to five modes."""
    decay, low = uniform_log(random, 0.003, 0.08), uniform_log(random, 200, 3500)
    modes, high = random.integers(1, 6), low * uniform_log(random, 1.2, 6)
    return 2 * ring(random, modes, low, high, decay / 2, decay, int(6 * decay * RATE))


def grain(random):
    """A stone against a stone, a twig, a drop."""
    decay = uniform_log(random, 0.0005, 0.006)
    return 2 * ring(random, random.integers(1, 3), 400, 7000, decay / 2, decay, int(7 * decay * RATE) + 8)


def scrape(random):
    """A toe that drags, cloth, a drawer: rough noise that swells and ends."""
    count = int(uniform_log(random, 0.03, 0.35) * RATE)
    low = uniform_log(random, 150, 4000)
    piece = band(random, random.standard_normal(count), low, low * uniform_log(random, 1.5, 8))
    rough = np.maximum(0, 1 + 0.7 * slow(random, count, uniform_log(random, 15, 120)))
    return piece / (piece.std() + 1e-9) * rough * np.sin(np.pi * (np.arange(count) / count) ** random.uniform(0.4, 1.5))


# A thing that makes a sound, and between how many of them one blow has.
THINGS = [(thud, 1, 1), (slap, 1, 2), (clink, 1, 2), (grain, 3, 60), (scrape, 1, 2)]


def blow(random, recipe):
    """One blow after a recipe, unlike every other."""
    sound = np.zeros(RATE)
    for pieces, gain, delay, spread, least, most in recipe:
        for _ in range(random.integers(least, most + 1)):
            start = delay * random.uniform(0.7, 1.3) + spread * random.random() ** 2
            strength = gain * np.exp(0.5 * random.standard_normal())
            place(sound, int(start * RATE), strength * pieces[random.integers(len(pieces))])
    return sound


def drawn_recipe(random):
    recipe = []
    for which in random.choice(len(THINGS), random.integers(1, 5), replace=False):
        thing, least, most = THINGS[which]
        most = random.integers(least, most + 1)
        pieces = [thing(random) for _ in range(24)]
        gain, delay = uniform_log(random, 0.1, 2), random.uniform(0, 0.3) * (random.random() < 0.6)
        recipe.append((pieces, gain, delay, uniform_log(random, 0.01, 0.3), min(least, most), most))
    return recipe


def blows(random, count):
    """Walking, climbing, working, rattling: blows made of several sounds each, in a rhythm or out of it."""
    sound = np.zeros(count)
    recipes = [drawn_recipe(random) for _ in range(random.integers(1, 3))]
    pace = uniform_log(random, 0.25, 3.5)
    jitter = random.choice([0.03, 0.1, 0.3, 0.9])
    now, turn = random.uniform(0, 1 / pace), 0
    while now * RATE < count:
        strength = np.exp(random.choice([0.15, 0.6]) * random.standard_normal())
        place(sound, int(now * RATE), strength * blow(random, recipes[turn % len(recipes)]))
        now += (1 + jitter * random.uniform(-1, 1)) / pace
        turn += 1
        if random.random() < 0.01:
            now += random.exponential(3)
    tilt = random.uniform(-6, 2)
    under = shaped(random, count, lambda f: tilt * np.log2(f / 500))
    return sound + uniform_log(random, 0.0005, 0.03) * np.abs(sound).max() * under / under.std()
