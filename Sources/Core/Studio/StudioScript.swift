/// What the studio's page does: keeps both settings, asks for runs while one moves, and shows what comes.
enum StudioScript {
    static let text = #"""
        const $ = id => document.getElementById(id);
        const sides = ['left', 'right'];
        let hello = null, socket = null, side = 'right', asked = 0, shown = 0, waiting = false, again = false;
        let begun = 0, isFirst = false, lanesFor = '', lanesShown = '';
        const state = { left: {}, right: {}, metrics: [] };
        const past = [], future = [];
        let kept = JSON.stringify(state);

        const make = (name, attributes = {}, ...inner) => {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
          made.append(...inner);
          return made;
        };
        const note = (text, id = 'notice') => { $(id).textContent = text || ''; $(id).hidden = !text; };

        // Settings in the address: what a reload, an undo and a link bring back.
        const pack = values => Object.keys(values).sort().map(name => `${name}=${values[name]}`).join(',');
        const unpack = text => Object.fromEntries((text || '').split(',').filter(pair => pair.includes('='))
          .map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
        const fragment = () => new URLSearchParams({ scenario: hello.scenario, digest: hello.digest, build: hello.build,
          left: whole('left'), right: whole('right'), options: hello.options, metrics: state.metrics.join(',') }).toString();
        // A link carries what the studio was started with, since the one that opens it may have been started without.
        const whole = one => pack({ ...hello.shared, ...state[one] });
        // Browsers refuse to be told of each step of a slider: Safari beyond 100 in 30 s, Firefox beyond 200 in 10 s.
        const restMs = 400;
        let remembered = -restMs, later = 0;
        const rememberNow = () => {
          clearTimeout(later);
          later = 0;
          remembered = performance.now();
          try { history.replaceState(null, '', '#' + fragment()); } catch { later = setTimeout(rememberNow, 10 * restMs); }
        };
        const remember = () => {
          // A reload keeps the latest move, too, where the address does not have it yet.
          try { sessionStorage.setItem(location.pathname, fragment()); } catch { /* The address will do. */ }
          const rest = remembered + restMs - performance.now();
          if (rest <= 0) rememberNow(); else if (!later) later = setTimeout(rememberNow, rest);
        };
        const addressAtStart = () => {
          if (performance.getEntriesByType('navigation')[0]?.type !== 'reload') return location.hash;
          try { return sessionStorage.getItem(location.pathname) || location.hash; } catch { return location.hash; }
        };
        // A link that is pasted over the address of an open page is what the next reload is to open.
        addEventListener('hashchange', () => {
          try { sessionStorage.removeItem(location.pathname); } catch { /* Then nothing is kept. */ }
        });
        const adopt = text => {
          const at = text.indexOf('#');
          const given = new URLSearchParams(at < 0 ? text : text.slice(at + 1));
          if (!given.has('left') && !given.has('right')) return text ? 'This is no link of a studio: it names no settings.' : '';
          for (const one of sides) {
            state[one] = unpack(given.get(one));
            for (const [name, value] of Object.entries(hello.shared)) if (state[one][name] === value) delete state[one][name];
          }
          state.metrics = (given.get('metrics') || '').split(',').filter(name => name);
          const odd = [];
          const differs = key => given.has(key) && given.get(key) !== hello[key];
          if (differs('scenario'))
            odd.push(`It was made of the scenario ${given.get('scenario')}; this is ${hello.scenario}.`);
          else if (differs('digest'))
            odd.push(`The scenario is another one: it was ${given.get('digest')}, and is ${hello.digest}. The file has changed, `
              + `or that studio was started otherwise: with ${given.get('options') || 'no options'}.`);
          if (differs('build'))
            odd.push(`Another program made it: ${given.get('build')}; this is ${hello.build}. Figures may differ.`);
          return odd.length ? `The link's settings are taken, but: ${odd.join(' ')}` : '';
        };

        // Amounts on a slider: by steps where there are few, else by ratio, rounded to two digits.
        const positions = 200;
        const scale = p => {
          const count = (p.most - p.least) / p.step;
          if (count <= positions) return { max: count, at: a => Math.round((a - p.least) / p.step), of: x => p.least + x * p.step };
          const floor = Math.max(p.least, p.step, p.most / 1e5);
          if (p.least < 0 || p.most / floor < 50) return { max: positions,
            at: a => Math.round((a - p.least) / (p.most - p.least) * positions),
            of: x => round(p, p.least + (p.most - p.least) * x / positions) };
          const ratio = Math.log(p.most / floor);
          return { max: positions,
            at: a => a < floor ? 0 : Math.round(1 + Math.log(a / floor) / ratio * (positions - 1)),
            of: x => x === 0 ? p.least : round(p, floor * Math.exp((x - 1) / (positions - 1) * ratio)) };
        };
        const round = (p, amount) => {
          const unit = Math.max(p.step, 10 ** Math.max(0, Math.floor(Math.log10(Math.abs(amount) || 1)) - 1));
          const snapped = Math.round(Math.round(amount / unit) * unit / p.step) * p.step;
          return Math.min(p.most, Math.max(p.least, snapped));
        };
        const written = (p, amount) => {
          if (p.words) return p.words[amount];
          if (p.form === 'boolean') return amount ? 'true' : 'false';
          if (p.form === 'share') return `${amount / 1e4}%`;
          if (p.form === 'duration') {
            const unit = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']].find(([f]) => amount % f === 0);
            return `${amount / unit[0]}${unit[1]}`;
          }
          return p.form === 'integer' ? String(amount) : null;
        };

        // Controls.
        const rows = new Map();
        const valueOf = (one, p) => state[one][p.name] ?? p.own;
        const row = p => {
          const id = `p-${p.name.replace(/\W/g, '-')}`;
          const made = make('div', { class: 'parameter' });
          const other = make('span', { class: 'soft' });
          made.append(make('b', {}, p.name), ' ', other);
          const controls = make('div', { class: 'controls' });
          const help = make('p', { class: 'soft', id: `${id}-help` }, `${p.meaning} ${p.range}; default ${p.standard}`);
          const wrong = make('p', { class: 'fail', id: `${id}-wrong` });
          const on = (input, kind, read) => {
            input.setAttribute('aria-describedby', `${id}-help ${id}-wrong`);
            input.addEventListener(kind, () => move(p, read(input), kind === 'change'));
            if (kind === 'input') input.addEventListener('change', keep);
            controls.append(input);
            return input;
          };
          let slider = null, field = null;
          if (p.form === 'boolean' || p.words) {
            field = make('select');
            for (const word of p.words || ['true', 'false']) field.append(make('option', {}, word));
            on(field, 'change', input => input.value);
          } else {
            const s = scale(p);
            slider = on(make('input', { type: 'range', min: 0, max: s.max, step: 1 }), 'input', input => s.of(Number(input.value)));
            slider.at = s.at;
            field = on(make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' }), 'change', input => input.value.trim());
          }
          const reset = make('button', { type: 'button' }, 'reset');
          reset.setAttribute('aria-label', `Reset ${p.name} to ${p.own}`);
          reset.addEventListener('click', () => move(p, p.own, true));
          controls.append(reset);
          made.append(controls, help, wrong);
          rows.set(p.name, { p, made, other, slider, field, reset, wrong });
          return made;
        };
        const build = () => {
          const open = new Set([...document.querySelectorAll('#parameters details[open]')].map(one => one.dataset.group));
          rows.clear();
          const groups = new Map();
          for (const p of hello.parameters) {
            const group = p.name.split('.')[0];
            if (!groups.has(group)) groups.set(group, []);
            groups.get(group).push(p);
          }
          const all = [...groups].map(([group, list], index) => {
            const isOpen = open.size ? open.has(group) : (index === 0 && innerWidth > 960) || list.some(p => p.isSet && p.isOfApp || sides.some(one => p.name in state[one]));
            const made = make('details', { 'data-group': group, ...(isOpen ? { open: '' } : {}) });
            made.append(make('summary', {}, `${group} (${list.length})`), ...list.map(row));
            return made;
          });
          $('parameters').replaceChildren(...all);
          if (!all.length) $('parameters').append(make('p', {}, 'No parameter changes anything in this scenario.'));
        };
        const paint = (without = null) => {
          const rest = side === 'left' ? 'right' : 'left';
          for (const one of sides) {
            $(`move-${one}`).setAttribute('aria-pressed', String(side === one));
            $(`${one}-words`).textContent = pack(state[one]).replaceAll(',', ', ') || 'as in the file';
          }
          $('copy').textContent = `Copy ${side} to ${rest}`;
          $('own').textContent = `${side} as in the file`;
          for (const { p, made, other, slider, field, reset } of rows.values()) {
            const value = valueOf(side, p), amount = typeof value === 'number' ? value : null;
            const text = amount === null ? value : written(p, amount) ?? String(amount);
            const isMoved = p.name in state[side];
            made.classList.toggle('moved', isMoved);
            reset.disabled = !isMoved;
            other.textContent = valueOf(rest, p) === value ? '' : `${rest}: ${valueOf(rest, p)}`;
            if (field !== without) field.value = text;
            field.setAttribute('aria-label', `${p.name}, ${side}`);
            if (!slider) continue;
            const known = amount ?? amounts[side][p.name] ?? (isMoved ? null : p.ownAmount);
            if (slider !== without && known !== null) slider.value = slider.at(known);
            slider.setAttribute('aria-label', `${p.name} slider, ${side}`);
            slider.setAttribute('aria-valuetext', text);
          }
          $('undo').disabled = !past.length;
          $('redo').disabled = !future.length;
        };
        const amounts = { left: {}, right: {} };
        const move = (p, value, isDone) => {
          const text = typeof value === 'number' ? written(p, value) ?? value : value;
          if (text === p.own) delete state[side][p.name]; else state[side][p.name] = text;
          if (typeof value === 'number') amounts[side][p.name] = value; else delete amounts[side][p.name];
          $(`p-${p.name.replace(/\W/g, '-')}-wrong`).textContent = '';
          rows.get(p.name).field.removeAttribute('aria-invalid');
          paint(document.activeElement && document.activeElement.type === 'range' ? document.activeElement : null);
          show();
          if (isDone) keep();
        };
        const keep = () => {
          const now = JSON.stringify(state);
          if (now === kept) return;
          past.push(kept);
          if (past.length > 200) past.shift();
          future.length = 0;
          kept = now;
          paint();
        };
        const step = (from, to) => {
          if (!from.length) return;
          to.push(kept);
          kept = from.pop();
          Object.assign(state, JSON.parse(kept));
          for (const one of sides) amounts[one] = {};
          paint();
          show();
        };

        // What is asked for: the newest move alone, once the one before is understood.
        const ask = message => { if (socket && socket.readyState === 1) socket.send(JSON.stringify(message)); };
        const both = () => ({ left: state.left, right: state.right });
        const show = () => {
          remember();
          // A newer move gives up the lanes that are not here yet.
          lanesFor = lanesShown;
          begun = performance.now();
          if (waiting) { again = true; return; }
          waiting = true;
          isFirst = true;
          asked += 1;
          $('pictures').classList.add('busy');
          ask({ kind: 'show', id: asked, ...both(), metrics: state.metrics });
        };
        const understood = () => {
          waiting = false;
          if (again) { again = false; show(); }
        };

        // What comes.
        const told = {
          hello(value) {
            const isNew = !hello;
            hello = value;
            document.title = `${value.scenario} - Kodama studio`;
            $('about').textContent = `${value.scenario} (${value.file}), ${value.seeds} seeds. ${value.summary || ''}`;
            $('build').textContent = `${value.build}; scenario ${value.digest}`;
            note(value.broken && `${value.broken}\n\nWhat is shown are runs of the last version that checks.`, 'broken');
            if (isNew) note(adopt(addressAtStart()));
            kept = JSON.stringify(state);
            // What is drawn may be of the file as it was.
            lanesShown = '';
            build();
            paint();
            show();
          },
          settings(value) {
            if (value.id !== asked) return;
            const isKept = JSON.stringify(state) === kept;
            for (const one of sides) for (const name of Object.keys(state[one])) {
              const found = value[one][name];
              if (found) amounts[one][name] = found.amount;
              // While a move waits, what it says is newer.
              if (again) continue;
              if (found) state[one][name] = found.text; else delete state[one][name];
            }
            if (!again) {
              if (isKept) kept = JSON.stringify(state);
              paint(document.activeElement);
              remember();
            }
            understood();
          },
          picture(value) {
            if (value.id !== asked) return;
            shown = value.id;
            const took = Math.round(performance.now() - begun);
            const isWhole = value.seeds === value.of;
            $('pictures').classList.toggle('busy', !isWhole);
            if (isFirst) { $('status').dataset.firstPicture = took; isFirst = false; }
            $('status').dataset.seeds = value.seeds;
            $('status').dataset.took = took;
            $('status').dataset.id = value.id;
            $('status').textContent = `${value.seeds} of ${value.of} seeds: ${value.summary}.`;
            $('progress').value = value.seeds / value.of;
            for (const name of ['gates', 'curves', 'changes', 'parts']) put($(name), value[name]);
            $('reconnects').hidden = !value.parts;
            $('command-left').textContent = value.commands[0];
            $('command-right').textContent = value.commands[1];
            figures = value.evaluations;
            const seed = $('seed').value;
            $('seed').replaceChildren(...value.worst.map(w => make('option', { value: w.seed }, `${w.seed}: ${w.reason}`)));
            if (value.worst.some(w => String(w.seed) === seed)) $('seed').value = seed;
            const metric = make('option', { value: '' }, 'choose a metric');
            $('metric').replaceChildren(metric, ...value.drawable.map(name => make('option', {}, name)));
            if (isWhole && value.worst.length) look(true);
          },
          lanes(value) {
            if (lanesFor !== JSON.stringify(both()) + value.seed) return;
            lanesShown = lanesFor;
            put($('lanes'), value.html);
            decorate();
          },
          explanation(value) {
            $('explained').hidden = false;
            $('explained-name').textContent = `What happened on the ${value.side}`;
            $('sentences').textContent = value.text;
            $('sentences').focus();
          },
          saved(value) { $('replace').hidden = true; note(`Saved as ${value.file}, beside the scenario.`); },
          refused(value) {
            $('replace').hidden = !value.asks;
            const wrong = [...rows.values()].find(r => value.text.includes(r.p.name) && r.p.name in state[side]);
            if (value.id === asked && wrong) {
              wrong.wrong.textContent = value.text;
              wrong.field.setAttribute('aria-invalid', 'true');
            }
            note(value.text);
            if (value.id === asked) { $('pictures').classList.remove('busy'); understood(); }
          },
          broken(value) {
            note(value.text && `${value.text}\n\nWhat is shown are runs of the last version that checks.`, 'broken');
          },
        };
        let figures = [];
        const put = (place, html) => {
          const x = [...place.querySelectorAll('.wide')].map(one => one.scrollLeft);
          place.innerHTML = html;
          place.querySelectorAll('.wide').forEach((one, index) => { one.scrollLeft = x[index] || 0; });
        };
        const look = isQuiet => {
          const seed = $('seed').value;
          if (!seed) return;
          const wanted = JSON.stringify(both()) + seed;
          if (isQuiet && wanted === lanesFor) return;
          lanesFor = wanted;
          ask({ kind: 'lanes', id: asked, ...both(), seed: Number(seed) });
        };
        const explain = one => ask({ kind: 'explain', id: asked, ...both(), side: one, seed: Number($('seed').value) });
        const save = replaces => ask({ kind: 'save', ...both(), side, file: $('file').value.trim(), form: $('form').value, replaces });

        // Buttons and keys.
        for (const one of sides) {
          $(`move-${one}`).addEventListener('click', () => { side = one; paint(); });
          $(`explain-${one}`).addEventListener('click', () => explain(one));
        }
        $('undo').addEventListener('click', () => step(past, future));
        $('redo').addEventListener('click', () => step(future, past));
        addEventListener('keydown', event => {
          if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
          if (/^(text|search)$/.test(document.activeElement.type)) return;
          event.preventDefault();
          if (event.shiftKey) step(future, past); else step(past, future);
        });
        const change = values => { Object.assign(state, values); keep(); paint(); show(); };
        $('copy').addEventListener('click', () => change({ [side === 'left' ? 'right' : 'left']: { ...state[side] } }));
        $('own').addEventListener('click', () => change({ [side]: {} }));
        $('share').addEventListener('click', () => {
          // The token stays here: it is a key, and a link is shown around.
          const link = `${location.origin}/#${fragment()}`;
          const done = () => note('The link is copied: whoever runs this scenario pastes it under "Open a link".');
          const failed = () => { $('link').value = link; $('link').select(); note('Copy the link from the field.'); };
          if (navigator.clipboard) navigator.clipboard.writeText(link).then(done, failed); else failed();
        });
        $('link').addEventListener('change', () => {
          const text = $('link').value.trim();
          if (!text) return;
          note(adopt(text) || 'The link is opened.');
          keep();
          paint();
          show();
        });
        $('metric').addEventListener('change', () => {
          const name = $('metric').value;
          if (name && !state.metrics.includes(name)) change({ metrics: [...state.metrics, name] });
        });
        $('find').addEventListener('input', () => {
          const words = $('find').value.toLowerCase().split(' ');
          for (const { p, made } of rows.values())
            made.hidden = !words.every(word => `${p.name} ${p.meaning}`.toLowerCase().includes(word));
          for (const group of document.querySelectorAll('#parameters details')) {
            group.hidden = ![...group.querySelectorAll('.parameter')].some(one => !one.hidden);
            if ($('find').value && !group.hidden) group.open = true;
          }
        });
        $('seed').addEventListener('change', () => look(false));
        $('look').addEventListener('click', () => look(false));
        $('save').addEventListener('submit', event => { event.preventDefault(); save(false); });
        $('replace').addEventListener('click', () => save(true));
        $('file').addEventListener('input', () => { $('replace').hidden = true; });

        // The socket; what is shown stays when the program ends. A computer that slept may have lost it without that.
        const connect = () => {
          socket = new WebSocket(`ws://${location.host}${location.pathname}socket`);
          socket.addEventListener('open', () => { waiting = again = false; note(''); ask({ kind: 'hello' }); });
          socket.addEventListener('message', event => {
            const { kind, value } = JSON.parse(event.data);
            told[kind](value);
          });
          socket.addEventListener('close', () => {
            waiting = again = false;
            $('pictures').classList.remove('busy');
            note('The studio has ended, or cannot be reached; what is shown stays, and this page tries again. If it has ended, '
              + `start it and open its new address: kodama studio ${hello ? hello.file : 'FILE'}`, 'broken');
            setTimeout(connect, 2_000);
          });
        };
        connect();

        """#
}
