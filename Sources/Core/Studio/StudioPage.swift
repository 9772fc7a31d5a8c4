import KodamaHarness

/// The studio's page: one file without a framework, which looks as reports do.
enum StudioPage {
    /// The whole file.
    ///
    /// - Parameter nonce: The word by which the browser knows the page's own script.
    /// - Returns: The text.
    static func text(nonce: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>Kodama studio</title>
        <style>
        \(PageStyle.text)\(style)</style>
        </head>
        \(body)
        <script nonce="\(nonce)">
        'use strict';
        const decorate = () => {
        \(PageScript.text)\(HearingScript.text)};
        \(StudioScript.text)</script>
        </body>
        </html>

        """
    }

    private static let style = """
        body{max-width:90rem}
        .skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.25rem}
        .reach{stroke:var(--curve);stroke-width:3;fill:var(--curve)}
        .reach.b{stroke:var(--other);fill:var(--other)}
        .desk{display:grid;grid-template-columns:minmax(0,25rem) minmax(0,1fr);gap:1.5rem;align-items:start}
        .panel{position:sticky;top:0;max-height:100vh;overflow-y:auto;padding:.25rem}
        .bar{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}
        button,select,.bar input,.parameter input{min-height:1.9rem;font:inherit;font-size:.85rem;color:inherit;
        background:var(--paper);border:1px solid var(--soft);border-radius:.25rem}
        button[aria-pressed=true]{background:var(--ink);color:var(--paper)}button:disabled{color:var(--soft);cursor:default}
        .parameter{border-bottom:1px solid var(--line);padding:.35rem 0}
        .parameter.moved{border-left:.25rem solid var(--curve);padding-left:.5rem}
        .parameter .controls{display:flex;gap:.5rem;align-items:center}
        .parameter input[type=range]{flex:1;min-width:6rem;accent-color:var(--curve);padding:0}
        .parameter input[type=text]{width:7rem}
        .parameter input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
        .parameter b{font-weight:600;font-size:.9rem;overflow-wrap:anywhere}
        .parameter p{font-size:.8rem;margin:0}
        .notice{background:var(--shade);border-left:.4rem solid var(--busy);padding:.5rem .75rem;margin:.5rem 0;
        white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem}
        .notice.bad{border-color:var(--bad)}
        .sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:.5rem 0}
        .sides section{border-top:.25rem solid var(--curve);background:var(--shade);padding:.5rem .75rem;min-width:0}
        .sides section:first-child{border-top-style:dashed;border-color:var(--other)}
        .sides h2{margin:0;font-size:1rem}.sides p{overflow-wrap:anywhere;font-size:.9rem}
        .parts{display:grid;grid-template-columns:1fr 1fr;gap:1rem}.parts>*{min-width:0}
        pre{overflow-x:auto;font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--shade);
        padding:.5rem;max-height:32rem}
        #pictures.busy{opacity:.75}
        #about,#build,.command{overflow-wrap:anywhere}select,input,.bar label{max-width:100%}#gates table,#changes table{font-size:.82rem}
        #changes td:nth-child(5){min-width:15rem}
        @media(max-width:60rem){.desk{grid-template-columns:minmax(0,1fr)}.panel{position:static;max-height:none}
        .sides,.parts{grid-template-columns:minmax(0,1fr)}}

        """

    private static let body = """
        <body>
        <a class="skip" href="#pictures">To the pictures</a>
        <header>
        <h1>Kodama studio</h1>
        <p id="about" class="soft"></p>
        <noscript><p class="notice">The studio needs scripts: it runs the scenario while a setting moves.</p></noscript>
        <div id="broken" class="notice bad" role="alert" hidden></div>
        <div id="notice" class="notice" role="status" hidden></div>
        <div class="bar" role="group" aria-label="Changes">
        <button type="button" id="undo" disabled>Undo</button>
        <button type="button" id="redo" disabled>Redo</button>
        <button type="button" id="share">Copy link</button>
        <label>Open a link <input id="link" type="text" size="18" autocomplete="off"></label>
        </div>
        <div class="sides">
        <section aria-labelledby="left-name"><h2 id="left-name">Left, dashed</h2><p id="left-words"></p></section>
        <section aria-labelledby="right-name"><h2 id="right-name">Right, drawn through</h2><p id="right-words"></p></section>
        </div>
        </header>
        <main class="desk">
        <section class="panel" aria-labelledby="panel-name">
        <h2 id="panel-name">Parameters</h2>
        <div class="bar" role="group" aria-label="The side that moves">
        <button type="button" id="move-left" aria-pressed="false">Move left</button>
        <button type="button" id="move-right" aria-pressed="true">Move right</button>
        <button type="button" id="copy">Copy to the other side</button>
        <button type="button" id="own">As in the file</button>
        </div>
        <label class="bar">Find <input id="find" type="search" autocomplete="off"></label>
        <div id="parameters"></div>
        <h2>Save</h2>
        <form id="save" class="bar">
        <label>File <input id="file" type="text" size="14" value="my-setting.yaml" autocomplete="off"></label>
        <label>as <select id="form"><option value="preset">preset</option><option value="scenario">whole scenario</option></select></label>
        <button type="submit">Save this side</button>
        <button type="button" id="replace" hidden>Write over it</button>
        </form>
        </section>
        <section id="pictures" tabindex="-1" aria-labelledby="pictures-name">
        <h2 id="pictures-name">Under the same weather</h2>
        <p id="status" role="status">Waiting for the first runs.</p>
        <progress id="progress" max="1" value="0" aria-label="Seeds run"></progress>
        <h3>Gates</h3><div id="gates"></div>
        <h3>Curves</h3>
        <label class="bar">Draw also <select id="metric"><option value="">choose a metric</option></select></label>
        <div id="curves"></div>
        <h3>What differs</h3><div id="changes"></div>
        <details id="reconnects" hidden><summary>Parts of reconnects</summary><div id="parts" class="parts"></div></details>
        <h3>The worst seed</h3>
        <div class="bar">
        <label>Seed <select id="seed"></select></label>
        <button type="button" id="look">Draw its lanes</button>
        <button type="button" id="explain-left">Explain left</button>
        <button type="button" id="explain-right">Explain right</button>
        </div>
        <div id="lanes"></div>
        <section id="explained" aria-live="polite" hidden><h4 id="explained-name"></h4>
        <pre id="sentences" tabindex="0" aria-labelledby="explained-name"></pre></section>
        <h3>The same at the command line</h3>
        <p class="command"><code id="command-left"></code></p>
        <p class="command"><code id="command-right"></code></p>
        </section>
        </main>
        <footer id="build"></footer>
        """
}
