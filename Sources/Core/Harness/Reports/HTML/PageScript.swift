/// What pages do beyond being read: commands are copied, lanes and records are narrowed to a range.
///
/// The range is dragged over the lanes or typed; the command that replays the run takes it along. What
/// needs the script is made by it, so that a page without scripts has no dead button.
package enum PageScript {
    /// The script, which may be run again for what has come since.
    package static let text = """
        'use strict';
        const add = (parent, name, text, next) => {
          const element = document.createElement(name);
          element.textContent = text;
          if (name === 'button') element.type = 'button';
          return parent.insertBefore(element, next || null);
        };
        for (const code of document.querySelectorAll('.command code')) {
          const button = add(code.parentElement, 'button', 'copy');
          button.addEventListener('click', () => {
            const done = () => {
              button.textContent = 'copied';
              setTimeout(() => { button.textContent = 'copy'; }, 2000);
            };
            const select = () => {
              const range = document.createRange();
              range.selectNodeContents(code);
              const selection = getSelection();
              selection.removeAllRanges();
              selection.addRange(range);
              if (document.execCommand('copy')) done();
            };
            if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
            else select();
          });
        }
        const folded = [...document.querySelectorAll('details.scenario')];
        const unfold = () => {
          const target = location.hash && document.getElementById(location.hash.slice(1));
          if (target && folded.includes(target)) { target.open = true; target.scrollIntoView(); }
        };
        addEventListener('hashchange', unfold);
        addEventListener('beforeprint', () => { for (const one of folded) one.open = true; });
        for (const link of document.querySelectorAll('a[href^="#s"]')) link.addEventListener('click', () => setTimeout(unfold));
        unfold();
        if (folded.length > 8) {
          const filter = add(folded[0].parentElement, 'input', '', folded[0]);
          Object.assign(filter, { type: 'search', className: 'filter', placeholder: 'filter by name or verdict' });
          filter.setAttribute('aria-label', 'Filter scenarios by name or verdict');
          filter.addEventListener('input', () => {
            const words = filter.value.toLowerCase().split(' ');
            for (const one of folded) {
              const text = one.querySelector('summary').textContent.toLowerCase();
              one.hidden = !words.every(word => text.includes(word));
            }
          });
        }
        for (const story of document.querySelectorAll('.story')) {
          const drawings = [...story.querySelectorAll('svg.lanes')];
          const rows = [...story.querySelectorAll('tr[data-at]')];
          const code = story.querySelector('.command code');
          const command = code ? code.textContent : '';
          const whole = Number(drawings[0].dataset.duration) / 1e9;
          const left = 132, width = 1000, units = 10000;
          const form = add(story, 'form', '', story.querySelector(':scope > h4, :scope > .wide'));
          form.className = 'range';
          const input = (words, value) => {
            const label = add(form, 'label', words + ' ');
            const input = add(label, 'input', '');
            label.append(' s');
            Object.assign(input, { type: 'number', min: 0, step: 'any', value });
            return input;
          };
          const from = input('from', 0), until = input('until', whole);
          const button = add(form, 'button', 'whole run');
          add(form, 'span', 'or drag over the lanes').className = 'soft';
          form.addEventListener('submit', event => event.preventDefault());
          const show = () => {
            let start = Math.min(Math.max(0, Number(from.value) || 0), whole);
            let end = Math.min(Math.max(0, Number(until.value) || whole), whole);
            if (end <= start) { start = 0; end = whole; }
            const isWhole = start === 0 && end === whole;
            for (const drawing of drawings) {
              const plot = drawing.querySelector('.plot');
              const height = plot.getAttribute('height');
              plot.setAttribute('viewBox',
                `${start / whole * units} 0 ${(end - start) / whole * units} ${height}`);
              for (const text of drawing.querySelectorAll('.in')) text.style.display = isWhole ? '' : 'none';
              for (const text of drawing.querySelectorAll('.zoomed')) text.remove();
              const scale = (end - start) / whole;
              for (const mark of plot.querySelectorAll('.mark')) {
                if (!mark.dataset.x) mark.dataset.x = Number(mark.getAttribute('x')) + 6;
                mark.setAttribute('x', mark.dataset.x - 6 * scale);
                mark.setAttribute('width', 12 * scale);
              }
              for (const tick of plot.querySelectorAll('.tick')) tick.style.display = isWhole ? '' : 'none';
              if (isWhole) continue;
              const write = (x, y, side, words) => {
                const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
                text.setAttribute('x', left + (width - left) * x);
                text.setAttribute('y', y);
                text.setAttribute('class', 'in zoomed ' + side);
                text.textContent = words;
                drawing.append(text);
              };
              // Round instants, at most eight of them.
              const wanted = (end - start) / 8;
              const power = 10 ** Math.floor(Math.log10(wanted));
              const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= wanted);
              const digits = Math.max(0, -Math.floor(Math.log10(step)));
              for (let tick = Math.ceil(start / step - 1e-6); tick * step <= end + step * 1e-6; tick++) {
                const x = (tick * step - start) / (end - start);
                const line = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
                const at = tick * step / whole * units;
                for (const [name, value] of Object.entries({ x: at, y: 18, width: 4 * scale, height: height - 22,
                  class: 'grid-line zoomed' })) line.setAttribute(name, value);
                plot.prepend(line);
                write(x, 12, x < 0.03 ? 'start' : x > 0.97 ? 'end' : 'middle', (tick * step).toFixed(digits) + ' s');
              }
              const bands = [...plot.querySelectorAll('rect:not(.mark,.speech,.good,.grid-line)')];
              const boxes = bands.map(band => ['x', 'y', 'width'].map(name => Number(band.getAttribute(name))));
              for (const [index, band] of bands.entries()) {
                const [x, y, wide] = boxes[index], next = boxes[index + 1];
                const place = at => Math.min(1, Math.max(0, (at / units * whole - start) / (end - start)));
                const words = band.textContent.slice(0, band.textContent.lastIndexOf(', '));
                const stop = next && next[1] === y ? Math.min(x + wide, next[0]) : x + wide;
                if ((place(stop) - place(x)) * (width - left) > words.length * 6 + 4) {
                  write(place(x) + 4 / (width - left), y + 10, 'start', words);
                }
              }
            }
            for (const row of rows) {
              const at = Number(row.dataset.at) / 1e9;
              row.hidden = at < start || at > end;
            }
            if (code) {
              code.textContent = isWhole ? command
                : `${command} --from ${Math.floor(start * 1000) / 1000}s --until ${Math.ceil(end * 1000) / 1000}s`;
            }
          };
          form.addEventListener('input', show);
          button.addEventListener('click', () => {
            from.value = '0';
            until.value = whole;
            show();
          });
          const opening = drawings.find(drawing => drawing.dataset.from);
          if (opening) {
            from.value = (opening.dataset.from / 1e9).toFixed(3);
            until.value = (opening.dataset.until / 1e9).toFixed(3);
            show();
          }
          for (const drawing of drawings) {
            let begun = null;
            const instant = event => {
              const box = drawing.getBoundingClientRect();
              const x = (event.clientX - box.left) / box.width * width;
              const [start, , length] = drawing.querySelector('.plot').getAttribute('viewBox').split(' ').map(Number);
              const share = Math.min(1, Math.max(0, (x - left) / (width - left)));
              return (start + share * length) / units * whole;
            };
            const plot = drawing.querySelector('.plot');
            drawing.addEventListener('pointerdown', event => {
              if (event.button === 0) begun = instant(event);
            });
            drawing.addEventListener('pointerup', event => {
              if (begun === null) return;
              const ends = [begun, instant(event)].sort((a, b) => a - b);
              begun = null;
              if (ends[1] - ends[0] < whole / 1000) return;
              [from.value, until.value] = ends.map(end => end.toFixed(3));
              show();
            });
          }
        }

        """
}
